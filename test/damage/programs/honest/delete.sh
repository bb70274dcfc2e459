# A deletion in scope.
# expect: SUCCESS
set -e
rm src/lib/util.ts src/current
