# The index of another worktree is gone.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
rm .git/worktrees/linked/index
