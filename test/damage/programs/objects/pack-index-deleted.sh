# A pack without its index might as well not be there.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm -f .git/objects/pack/*.idx
