# The current branch is gone, HEAD leads nowhere.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git update-ref -d refs/heads/main
