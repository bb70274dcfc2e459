# HEAD is pointed elsewhere without git.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
echo 'ref: refs/heads/side' >.git/HEAD
