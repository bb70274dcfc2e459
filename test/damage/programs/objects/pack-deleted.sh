# Most of the history is lost.
# expect: STOP_GIT_METADATA_MUTATION
set -e
rm -f .git/objects/pack/*
