# Everybody may write to the workspace.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
chmod 0777 relais
