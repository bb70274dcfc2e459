# A committed file is lost from the store.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
id=$(git rev-parse HEAD:src/main.ts)
rm -f ".git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
