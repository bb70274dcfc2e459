# A file leaves the scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
mv src/main.ts main.ts
