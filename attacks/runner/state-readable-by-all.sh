# Only the mode of the state changes.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# driver: kernel
set -e
chmod 0666 relais/STATE.json
