# An edit where the git directory lies elsewhere.
# expect: SUCCESS
# kind: git-file
set -e
echo "// edit" >>src/main.ts
git add src
