# A file that is all hole: large to read, small on disk.
# expect: STOP_DIFF_TOO_LARGE
# kind: plain
# needs: linux
set -e
truncate -s 64M src/hole.bin
