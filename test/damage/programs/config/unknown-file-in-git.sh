# Git's folder as a hiding place.
# expect: STOP_GIT_METADATA_MUTATION
set -e
echo payload >.git/payload
