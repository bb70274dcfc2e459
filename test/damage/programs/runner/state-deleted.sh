# The state is deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
rm relais/STATE.json
