# Without attributes the filter no longer runs.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: filter
set -e
rm .gitattributes
