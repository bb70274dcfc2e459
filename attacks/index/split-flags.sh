# A flag is hidden in the shared part of an index that was split before.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# before: touch -d "1 hour ago" src/main.ts; git update-index --refresh; git update-index --split-index
set -e
git update-index --no-split-index --assume-unchanged src/main.ts
git update-index --split-index
