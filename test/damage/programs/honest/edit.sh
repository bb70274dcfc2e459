# An edit in scope.
# expect: SUCCESS
set -e
echo "export const x = 1;" >>src/main.ts
echo "More." >>README.md
