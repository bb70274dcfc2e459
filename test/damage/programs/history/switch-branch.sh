# Another branch is checked out.
# expect: STOP_HEAD_MOVED
set -e
git switch -q topic
