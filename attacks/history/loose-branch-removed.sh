# Without its loose file the branch falls back to the older packed value.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
rm .git/refs/heads/main
