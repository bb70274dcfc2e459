# The linked worktree of the person is locked.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
git worktree lock ../linked
