# The submodule moves to a commit that nobody else has.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
echo changed >libs/dep/lib.c
git -C libs/dep -c user.name=dep -c user.email=dep@example.invalid commit -qam changed
