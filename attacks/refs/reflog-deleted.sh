# All reflogs are deleted.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -r .git/logs
