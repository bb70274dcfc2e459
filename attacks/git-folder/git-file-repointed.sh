# The file that names the git directory names another one.
# expect: STOP_GIT_METADATA_MUTATION
# kind: git-file
set -e
echo "gitdir: $PWD/../origin.git" >.git
