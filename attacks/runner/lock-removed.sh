# Removes the lock, so that a second relais could begin.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm relais/lock.json
