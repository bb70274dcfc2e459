# Most of the tree vanishes by a setting.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git sparse-checkout set src relais
