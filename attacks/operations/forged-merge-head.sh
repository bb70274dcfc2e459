# The next commit becomes a merge.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git rev-parse topic >.git/MERGE_HEAD
