# An edit in scope.
# expect: SUCCESS
# kind: plain
set -e
echo "export const x = 1;" >>src/main.ts
echo "More." >>README.md
