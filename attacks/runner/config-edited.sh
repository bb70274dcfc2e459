# The rules of the next step are widened.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
echo '{ "scope": { "default_allowed_globs": ["**"] } }' >relais.config.json
