# A locked file must be unlocked to be put back; a log that its owner locked is not to be touched.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: chattr
# before: chattr +a debug.log
# afterwards: lsattr debug.log | cut -d ' ' -f 1 | grep -q a
set -e
echo changed >docs/guide.md
chattr +i docs/guide.md
