# A submodule is added within the scope.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
git submodule --quiet add ../dependency src/dep
