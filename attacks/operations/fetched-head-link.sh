# The next fetch would write over the configuration of the runner.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/FETCH_HEAD
ln -s ../relais.config.json .git/FETCH_HEAD
