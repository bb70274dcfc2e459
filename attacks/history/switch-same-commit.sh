# Another branch at the very same commit: no file changes at all.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git switch -q late
