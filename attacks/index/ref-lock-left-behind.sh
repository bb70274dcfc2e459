# A lock that stops the next commit.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
: >.git/refs/heads/main.lock
