# A secret that git ignores is deleted.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
rm .env
