# A merge stops on a conflict.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git merge -q topic >/dev/null 2>&1 || true
test -f .git/MERGE_HEAD
