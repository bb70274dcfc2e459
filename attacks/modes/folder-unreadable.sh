# A folder that its owner can no longer enter.
# expect: STOP_UNSAFE_PATH, STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo changed >docs/guide.md
chmod 000 docs
