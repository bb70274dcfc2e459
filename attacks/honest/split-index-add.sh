# A builder stages its work in an index that is split and holds a flag.
# expect: SUCCESS
# kind: plain
# before: git update-index --assume-unchanged docs/guide.md; git update-index --split-index
set -e
echo "// edit" >>src/main.ts
echo x >src/aaa.ts
git add src
git status >/dev/null
