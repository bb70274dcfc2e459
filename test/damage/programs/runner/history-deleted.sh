# The past is deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
rm -r relais/history
