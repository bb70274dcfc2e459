# A folder becomes a link that leaves the repository: restoring must not write through it.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
rm -r docs
ln -s ../neighbour docs
