# The whole tree is deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +
