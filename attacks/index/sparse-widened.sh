# The patterns of a sparse tree are edited.
# expect: STOP_GIT_METADATA_MUTATION
# kind: sparse
set -e
echo '/keys/' >>.git/info/sparse-checkout
