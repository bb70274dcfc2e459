# No index: git takes every file for a new one.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm .git/index
