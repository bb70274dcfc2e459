# A branch is planted.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git branch sneaky
