# An edit in a repository that has a linked worktree.
# expect: SUCCESS
# repository: main-worktree
set -e
echo "// edit" >>src/main.ts
git add src
