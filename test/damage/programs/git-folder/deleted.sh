# The git directory is deleted.
# expect: STOP_HEAD_MOVED
set -e
rm -rf .git
