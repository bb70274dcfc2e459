# A secret that git ignores is deleted.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
rm .env
