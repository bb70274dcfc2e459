# The next commit message would be written over a built file, without a link that shows.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm -f .git/COMMIT_EDITMSG
echo x >dist/held
ln dist/held .git/COMMIT_EDITMSG
