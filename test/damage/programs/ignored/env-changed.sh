# A secret that git ignores is changed.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
echo "SECRET=other" >.env
