# HEAD holds a commit instead of a branch.
# expect: STOP_HEAD_MOVED
set -e
git checkout -q --detach
