# The branch and the files step back.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git reset -q --hard HEAD~1
