# A lock that stops the next commit.
# expect: STOP_GIT_METADATA_MUTATION
set -e
: >.git/refs/heads/main.lock
