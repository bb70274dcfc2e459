# All reflogs are deleted.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm -r .git/logs
