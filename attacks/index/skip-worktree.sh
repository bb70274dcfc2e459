# The other flag that makes git look away.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git update-index --skip-worktree docs/guide.md
echo changed >docs/guide.md
