# An index that everybody may write.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git add -A src
chmod 666 .git/index
