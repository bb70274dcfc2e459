# A file is taken into the scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
mv docs/guide.md src/guide.md
