# The whole store is deleted.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm -rf .git/objects
