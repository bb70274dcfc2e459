# An empty file and an empty folder in scope.
# expect: SUCCESS
# kind: plain
set -e
touch src/empty.ts
mkdir src/later
