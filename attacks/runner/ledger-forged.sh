# Writes a ledger of its own.
# expect: STOP_RUNNER_OWNED_MUTATION
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"seq": 1}' > relais/ledger.jsonl
