# Folders with the names of files that git writes in passing.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/COMMIT_EDITMSG
mkdir .git/gc.pid .git/COMMIT_EDITMSG
