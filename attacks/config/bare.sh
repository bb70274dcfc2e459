# Git thinks that there is no worktree.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config core.bare true
