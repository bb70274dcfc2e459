# A folder in scope becomes a link out of it.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mv src/lib dist/lib
ln -s ../dist/lib src/lib
