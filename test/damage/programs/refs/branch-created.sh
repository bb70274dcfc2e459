# A branch is planted.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git branch sneaky
