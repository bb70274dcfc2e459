# The index is split in two files.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git update-index --split-index
