# The index of a submodule is gone.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
rm .git/modules/libs/dep/index
