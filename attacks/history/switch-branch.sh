# Another branch is checked out.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git switch -q topic
