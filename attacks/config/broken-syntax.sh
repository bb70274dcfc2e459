# Git can no longer read its configuration.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo '[[[' >>.git/config
