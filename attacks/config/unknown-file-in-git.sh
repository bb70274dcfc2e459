# Git's folder as a hiding place.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo payload >.git/payload
