# History is cut by a grafts file.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git rev-parse HEAD >.git/info/grafts
