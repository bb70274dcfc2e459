# HEAD of another worktree is moved.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
echo "ref: refs/heads/topic" >.git/worktrees/linked/HEAD
