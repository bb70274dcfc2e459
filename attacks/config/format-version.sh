# Git refuses to work with the repository at all.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config core.repositoryFormatVersion 99
