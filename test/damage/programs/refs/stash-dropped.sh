# The person's stash is lost.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git stash drop -q
