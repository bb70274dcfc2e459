# The configuration of a git directory that lies elsewhere.
# expect: STOP_GIT_METADATA_MUTATION
# kind: git-file
set -e
git config core.editor false
