# A deletion in scope.
# expect: SUCCESS
# kind: plain
set -e
rm src/lib/util.ts src/current
