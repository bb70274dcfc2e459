# The lock names another holder.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
echo '{ "run_id": "r2", "pid": 1 }' >relais/lock.json
