# A file of the neighbour gets a second name here; removing it must not touch the original.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln ../neighbour/untouched.txt src/guest.ts
