# The configuration is gone, remotes included.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm .git/config
