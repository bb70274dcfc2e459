# A lock that stops the next git command.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
: >.git/index.lock
