# Puts a pipe in the place of the journal, which blocks everybody who opens it.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
for journal in "$HOSTILE"/state/relais/*/journal.jsonl; do
  rm "$journal"
  mkfifo "$journal"
done
