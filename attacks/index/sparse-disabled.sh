# A sparse tree is made whole.
# expect: STOP_GIT_METADATA_MUTATION
# kind: sparse
set -e
git sparse-checkout disable
