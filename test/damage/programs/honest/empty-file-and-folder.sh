# An empty file and an empty folder in scope.
# expect: SUCCESS
set -e
touch src/empty.ts
mkdir src/later
