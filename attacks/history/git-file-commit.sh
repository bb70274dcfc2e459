# A commit where the git directory lies outside the worktree.
# expect: STOP_HEAD_MOVED
# kind: git-file
set -e
echo more >>README.md
git commit -qam "elsewhere"
