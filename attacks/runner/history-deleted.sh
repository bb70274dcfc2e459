# The past is deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
rm -r relais/history
