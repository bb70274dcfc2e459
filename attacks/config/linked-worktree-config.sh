# The configuration that all linked worktrees share.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
git config core.editor false
