# Private attributes change how files compare.
# expect: STOP_GIT_METADATA_MUTATION
set -e
echo "* binary" >.git/info/attributes
