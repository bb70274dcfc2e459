# A link that leaves the repository.
# expect: STOP_UNSAFE_PATH
set -e
ln -s ../../neighbour src/neighbour
