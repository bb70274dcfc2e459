# The state now lies where builds may write.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# driver: kernel
set -e
mv relais/STATE.json dist/state
ln -s ../dist/state relais/STATE.json
