# The folder is emptied, git directory and all.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
find . -mindepth 1 -delete
