# A configuration that its owner can no longer read.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod 000 .git/config
