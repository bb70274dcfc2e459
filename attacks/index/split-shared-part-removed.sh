# The shared part of a split index is gone.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# before: git update-index --split-index
set -e
rm .git/sharedindex.*
