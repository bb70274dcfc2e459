# A link that leaves the repository.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln -s ../../neighbour src/neighbour
