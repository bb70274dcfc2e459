# Makes git show another commit than the one that is there.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
git replace HEAD HEAD~1
echo 'export const answer = 42;' > src/main.ts
