# Deletes the index, so that to git every file is new.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm .git/index
