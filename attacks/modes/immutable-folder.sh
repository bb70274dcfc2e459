# A folder in which not even root can put anything back.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: chattr
set -e
rm docs/guide.md
chattr +i docs
