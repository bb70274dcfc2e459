# The next fetch would write its log through a link.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -rf .git/logs/refs/remotes
ln -s ../../../src .git/logs/refs/remotes
