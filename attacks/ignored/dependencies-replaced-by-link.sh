# The dependencies now come from the build output.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mv node_modules dist/modules
ln -s dist/modules node_modules
