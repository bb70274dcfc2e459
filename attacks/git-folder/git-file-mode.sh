# Only the mode of the file that names the git directory changes.
# expect: STOP_GIT_METADATA_MUTATION
# kind: git-file
set -e
chmod 0666 .git
