# A builder in a linked worktree switches the main one to another branch.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
echo "ref: refs/heads/topic" >../repo/.git/HEAD
