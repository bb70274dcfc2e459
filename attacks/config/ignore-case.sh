# Twins of a name become invisible to git.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config core.ignoreCase true
