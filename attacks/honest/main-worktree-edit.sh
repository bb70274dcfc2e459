# An edit in a repository that has a linked worktree.
# expect: SUCCESS
# kind: main-worktree
set -e
echo "// edit" >>src/main.ts
git add src
