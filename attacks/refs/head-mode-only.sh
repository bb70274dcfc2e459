# HEAD may be written by the group.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod 664 .git/HEAD
