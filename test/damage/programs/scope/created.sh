# A new file out of scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
echo new >docs/new.md
