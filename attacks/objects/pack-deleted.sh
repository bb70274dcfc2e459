# Most of the history is lost.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/objects/pack/*
