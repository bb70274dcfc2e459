# The store of large files leads out of the repository.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir -p .git/lfs/objects
ln -s /etc .git/lfs/objects/aa
