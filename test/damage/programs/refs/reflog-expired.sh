# The way back to older commits is erased.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git reflog expire --expire=now --all
