# An empty folder in the workspace.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# driver: kernel
set -e
mkdir relais/.tmp
