# Cuts the journal after its first line, of which the chain is without a fault.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
echo 'SECRET=stolen' > .env
for journal in "$XDG_STATE_HOME"/relais/*/journal.jsonl; do
  line=$(head -n 1 "$journal")
  printf '%s\n' "$line" > "$journal"
done
