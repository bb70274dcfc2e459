# Objects come from a store that others can change.
# expect: STOP_GIT_METADATA_MUTATION
set -e
echo "$PWD/../origin.git/objects" >.git/objects/info/alternates
