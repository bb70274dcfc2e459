# All dependencies are deleted.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
rm -rf node_modules
