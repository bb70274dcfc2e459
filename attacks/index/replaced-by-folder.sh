# A folder where the index was.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm .git/index
mkdir .git/index
