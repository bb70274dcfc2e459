# An empty folder in the workspace.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
mkdir relais/.tmp
