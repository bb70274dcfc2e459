# The submodule now writes into src.
# expect: STOP_GIT_METADATA_MUTATION
# kind: submodule
set -e
git -C libs/dep config core.worktree ../../../../src
