# A revert waits to be committed.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git revert --no-commit HEAD >/dev/null 2>&1
