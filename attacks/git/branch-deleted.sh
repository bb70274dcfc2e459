# Deletes a branch of the person.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git branch -qD other
