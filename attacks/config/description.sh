# Even a harmless file of git is not the builder's.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo other >.git/description
