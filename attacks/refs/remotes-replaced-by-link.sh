# Remote-tracking refs are kept somewhere else from now on.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -rf .git/refs/remotes
ln -s ../../dist .git/refs/remotes
