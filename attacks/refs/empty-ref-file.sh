# An empty ref file makes git complain about the repository.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
: >.git/refs/heads/broken
