# A lock that stops the next git command.
# expect: STOP_GIT_METADATA_MUTATION
set -e
: >.git/index.lock
