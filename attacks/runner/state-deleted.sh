# The state is deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# driver: kernel
set -e
rm relais/STATE.json
