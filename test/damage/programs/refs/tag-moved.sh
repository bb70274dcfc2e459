# A tag now means another commit.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git tag -f light topic >/dev/null
