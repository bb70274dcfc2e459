# The workspace now lies where builds may write.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
mv relais dist/relais
ln -s dist/relais relais
