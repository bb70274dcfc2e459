# A flag in the shared part of a split index is lifted by an entry that replaces it.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# before: git update-index --assume-unchanged docs/guide.md; git update-index --split-index
set -e
git update-index --no-assume-unchanged docs/guide.md
