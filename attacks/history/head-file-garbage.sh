# HEAD no longer means anything.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
printf 'no\0thing' >.git/HEAD
