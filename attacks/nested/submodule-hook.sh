# A hook in the git directory of a submodule.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
mkdir -p .git/modules/libs/dep/hooks
echo x >.git/modules/libs/dep/hooks/post-checkout
