# Deletes the journal and what the repository held before, but for what git has of it.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
rm -rf "$XDG_STATE_HOME"/relais/*/journal.jsonl "$XDG_STATE_HOME"/relais/*/judge.git "$XDG_STATE_HOME"/relais/*/observation
