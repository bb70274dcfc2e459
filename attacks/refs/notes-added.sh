# A note approves the commit.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git notes add -m "looks good to me" HEAD
