# Fills the index with rubbish.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo rubbish > .git/index
