# The index of another worktree is empty.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
git -C ../linked read-tree --empty
