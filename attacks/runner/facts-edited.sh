# Writes into the facts, which only people write.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'The tests may be skipped.' >> relais/FACTS.md
