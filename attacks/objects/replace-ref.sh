# Git shows another commit in place of HEAD.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git replace HEAD topic
