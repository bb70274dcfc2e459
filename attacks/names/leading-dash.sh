# A name that looks like an option, out of scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
touch -- -rf
