# All hooks come from the build output.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -r .git/hooks
ln -s ../dist .git/hooks
