# Private attributes change how files compare.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo "* binary" >.git/info/attributes
