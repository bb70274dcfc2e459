# A ref of the linked worktree alone.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
mkdir -p ../repo/.git/worktrees/linked/refs/worktree
git rev-parse HEAD >../repo/.git/worktrees/linked/refs/worktree/mine
