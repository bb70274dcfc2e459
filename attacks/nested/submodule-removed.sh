# The submodule is emptied and its settings are dropped.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
git submodule --quiet deinit -f libs/dep
