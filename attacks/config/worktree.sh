# Git looks at another folder from now on.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config core.worktree "$PWD/dist"
