# From a linked worktree the branch of the main one is moved.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
git update-ref refs/heads/main side
