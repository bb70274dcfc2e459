# History is cut by a grafts file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git rev-parse HEAD >.git/info/grafts
