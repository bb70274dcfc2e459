# History is cut by a shallow file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git rev-parse HEAD >.git/shallow
