# A builder that takes back what it staged, which git remembers.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git add src
git rev-parse HEAD >.git/ORIG_HEAD
echo "a message" >.git/COMMIT_EDITMSG
