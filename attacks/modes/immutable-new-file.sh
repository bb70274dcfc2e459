# A new file that not even root can remove.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: chattr
set -e
echo new >docs/new.md
chattr +i docs/new.md
