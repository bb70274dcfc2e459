# The lock is removed.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
rm relais/lock.json
