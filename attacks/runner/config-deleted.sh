# The rules are deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
rm relais.config.json
