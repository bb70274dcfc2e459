# The file that names the git directory is deleted.
# expect: STOP_GIT_METADATA_MUTATION
# kind: git-file
set -e
rm .git
