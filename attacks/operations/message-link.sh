# The next commit message would be written over a source file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/COMMIT_EDITMSG
ln -s ../src/main.ts .git/COMMIT_EDITMSG
