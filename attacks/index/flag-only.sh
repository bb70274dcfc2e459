# A flag that will hide the edits of a later step.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git update-index --assume-unchanged src/main.ts
