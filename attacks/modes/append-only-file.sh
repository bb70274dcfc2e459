# A file that can only grow.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: chattr
set -e
echo changed >docs/guide.md
chattr +a docs/guide.md
