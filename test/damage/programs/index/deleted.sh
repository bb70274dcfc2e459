# No index: git takes every file for a new one.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm .git/index
