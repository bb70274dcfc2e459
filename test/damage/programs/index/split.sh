# The index is split in two files.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git update-index --split-index
