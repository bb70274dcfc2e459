# A cherry-pick stops on a conflict.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git cherry-pick topic >/dev/null 2>&1 || true
test -f .git/CHERRY_PICK_HEAD
