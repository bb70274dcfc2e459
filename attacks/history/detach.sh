# HEAD holds a commit instead of a branch.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git checkout -q --detach
