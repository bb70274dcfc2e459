# What was unreachable is gone for good.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git reflog expire --expire=now --all
git gc -q --prune=now
