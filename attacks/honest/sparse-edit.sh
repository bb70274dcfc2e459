# An edit in a sparse tree.
# expect: SUCCESS
# kind: sparse
set -e
echo "// edit" >>src/main.ts
git add src
