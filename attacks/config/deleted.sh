# The configuration is gone, remotes included.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm .git/config
