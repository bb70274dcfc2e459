# The branch steps back, the files stay.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git reset -q --soft HEAD~1
