# The patterns of a sparse tree are edited.
# expect: STOP_GIT_METADATA_MUTATION
# repository: sparse
set -e
echo '/keys/' >>.git/info/sparse-checkout
