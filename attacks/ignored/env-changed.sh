# A secret that git ignores is changed.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
echo "SECRET=other" >.env
