# The person's stash is taken out into the tree.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git stash pop -q
