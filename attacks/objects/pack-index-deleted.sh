# A pack without its index might as well not be there.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/objects/pack/*.idx
