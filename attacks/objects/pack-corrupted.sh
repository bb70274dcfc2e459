# Bytes in a pack are overwritten in place.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
pack=$(ls .git/objects/pack/*.pack)
chmod u+w "$pack"
printf XXXX | dd of="$pack" bs=1 seek=100 conv=notrunc status=none
chmod u-w "$pack"
