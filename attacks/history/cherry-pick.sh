# Somebody else's commit is taken over on another branch.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git switch -q side
git cherry-pick topic >/dev/null
