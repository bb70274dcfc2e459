# A tracked file out of scope is deleted.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm package.json
