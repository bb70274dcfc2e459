# The git directory gets another name.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
mv .git git-was-here
