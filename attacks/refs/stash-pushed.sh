# Work is hidden in the stash, the tree looks untouched.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo "export const x = 1;" >>src/main.ts
git stash push -q
