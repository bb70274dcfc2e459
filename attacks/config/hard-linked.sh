# The configuration can be changed later through another name of its file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
ln .git/config dist/held
