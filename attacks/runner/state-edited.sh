# The counters are reset.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
echo '{ "version": 1, "ticks": 0 }' >relais/STATE.json
