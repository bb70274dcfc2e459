# The rules are deleted.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
rm relais.config.json
