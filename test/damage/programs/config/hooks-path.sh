# The next commit runs what a build wrote.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git config core.hooksPath dist
