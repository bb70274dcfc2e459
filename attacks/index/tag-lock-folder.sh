# A folder in the place of the lock of a tag to come.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir -p .git/refs/tags/v9.lock
