# An existing link points elsewhere.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln -sfn ../../neighbour/untouched.txt src/current
