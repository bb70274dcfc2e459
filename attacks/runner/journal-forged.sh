# Adds a line to the journal that says that all is well.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# next: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"seq": 9, "event": {"type": "settled"}}' | tee -a "$XDG_STATE_HOME"/relais/*/journal.jsonl > /dev/null
