# A builder in a linked worktree removes the index of the main one.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
rm ../repo/.git/index
