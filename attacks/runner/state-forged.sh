# Writes a state in which nothing was ever spent.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"budgets": {}}' > relais/STATE.json
