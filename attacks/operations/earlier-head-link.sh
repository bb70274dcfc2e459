# The next reset would be remembered in a file of the project.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/ORIG_HEAD
ln -s ../README.md .git/ORIG_HEAD
