# An index that git refuses to read.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
printf 'XXXX' | dd of=.git/index bs=1 seek=40 conv=notrunc status=none
