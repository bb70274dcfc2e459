# Git thinks that there is no worktree.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git config core.bare true
