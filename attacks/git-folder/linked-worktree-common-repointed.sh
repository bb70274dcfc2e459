# The shared part of the git directory is looked for elsewhere.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
echo ../../../../origin.git >"$(git rev-parse --git-dir)/commondir"
