# A large file without lines.
# expect: STOP_DIFF_TOO_LARGE
# kind: plain
set -e
head -c 6000000 /dev/urandom >src/noise.bin
