# A branch with work of its own is deleted.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git branch -qD topic
