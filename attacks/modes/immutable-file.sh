# An edited file that not even root can change.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: chattr
set -e
echo changed >docs/guide.md
chattr +i docs/guide.md
