# Another branch at the very same commit: no file changes at all.
# expect: STOP_HEAD_MOVED
set -e
git switch -q late
