# The whole store is deleted.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -rf .git/objects
