# Hides an edit outside its scope in the stash, to be popped later.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo evil >> docs/guide.md
git stash -q
echo 'export const answer = 42;' > src/main.ts
