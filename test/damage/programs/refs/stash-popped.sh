# The person's stash is taken out into the tree.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git stash pop -q
