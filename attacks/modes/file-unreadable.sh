# An edited file that its owner can no longer read.
# expect: STOP_UNSAFE_PATH, STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo changed >docs/guide.md
chmod 000 docs/guide.md
