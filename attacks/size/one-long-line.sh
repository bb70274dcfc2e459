# One line of eight megabytes.
# expect: STOP_DIFF_TOO_LARGE
# kind: plain
set -e
head -c 8000000 /dev/zero | tr '\0' x >src/line.ts
