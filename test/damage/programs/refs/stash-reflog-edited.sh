# The stash list lives in a reflog: empty it and nothing is listed.
# expect: STOP_GIT_METADATA_MUTATION
set -e
: >.git/logs/refs/stash
