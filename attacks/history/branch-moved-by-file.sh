# The current branch is moved by writing its file.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git rev-parse topic >.git/refs/heads/main
