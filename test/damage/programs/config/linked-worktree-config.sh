# The configuration that all linked worktrees share.
# expect: STOP_GIT_METADATA_MUTATION
# repository: linked-worktree
set -e
git config core.editor false
