# The rules now lie where builds may write.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
mv relais.config.json dist/config.json
ln -s dist/config.json relais.config.json
