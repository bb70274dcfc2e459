# A twin of the rules, for systems that do not tell case apart.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# needs: linux
set -e
echo "{}" >Relais.Config.json
