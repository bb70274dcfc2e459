# An annotated tag is deleted.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git tag -d v1 >/dev/null
