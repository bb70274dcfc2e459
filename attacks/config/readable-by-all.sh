# Only the mode of the configuration changes.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod 0666 .git/config
