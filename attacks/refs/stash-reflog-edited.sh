# The stash list lives in a reflog: empty it and nothing is listed.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
: >.git/logs/refs/stash
