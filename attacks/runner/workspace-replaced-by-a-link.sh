# Replaces the workspace by a link to the neighbour, so that reports would be written there.
# expect: STOP_RUNNER_OWNED_MUTATION
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mv relais src/moved
ln -s ../neighbour relais
