# Fills the index with rubbish.
# expect: STOP_GIT_METADATA_MUTATION
echo 'export const answer = 42;' > src/main.ts
echo rubbish > .git/index
