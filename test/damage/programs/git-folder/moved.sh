# The git directory gets another name.
# expect: STOP_HEAD_MOVED
set -e
mv .git git-was-here
