# A branch can be moved later through another name of its file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
ln .git/refs/heads/main dist/held
