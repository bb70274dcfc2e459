# Deletes the configuration.
# expect: STOP_RUNNER_OWNED_MUTATION
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm relais.config.json
