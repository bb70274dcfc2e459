# A folder where the index was.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm .git/index
mkdir .git/index
