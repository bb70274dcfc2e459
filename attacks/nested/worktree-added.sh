# A second worktree, with a checkout of another branch.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git worktree add -q dist/second topic
