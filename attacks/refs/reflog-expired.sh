# The way back to older commits is erased.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git reflog expire --expire=now --all
