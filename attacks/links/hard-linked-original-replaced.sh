# Restoring in place would write into the neighbour's file.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
rm docs/guide.md
ln ../neighbour/untouched.txt docs/guide.md
