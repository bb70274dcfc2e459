# Git can no longer read its configuration.
# expect: STOP_GIT_METADATA_MUTATION
set -e
echo '[[[' >>.git/config
