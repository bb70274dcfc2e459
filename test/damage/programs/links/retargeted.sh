# An existing link points elsewhere.
# expect: STOP_UNSAFE_PATH
set -e
ln -sfn ../../neighbour/untouched.txt src/current
