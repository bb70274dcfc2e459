# A commit in a linked worktree lands in the shared git directory.
# expect: STOP_HEAD_MOVED
# kind: linked-worktree
set -e
echo more >>README.md
git commit -qam "from a linked worktree"
