# A submodule is added within the scope.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
# driver: kernel
set -e
git submodule --quiet add ../dependency src/dep
