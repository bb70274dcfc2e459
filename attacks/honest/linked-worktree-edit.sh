# An edit in a linked worktree.
# expect: SUCCESS
# kind: linked-worktree
set -e
echo "// edit" >>src/main.ts
git add src
git status >/dev/null
