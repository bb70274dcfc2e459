# Drops the work that the person has stashed away.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git stash drop -q
