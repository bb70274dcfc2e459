# An empty folder in the git directory.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir .git/empty
