# New objects would be written elsewhere.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
for name in 0a 1b 2c 3d 4e 5f; do
  [ -e ".git/objects/$name" ] || ln -s ../../dist ".git/objects/$name"
done
