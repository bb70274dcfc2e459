# Closes the folder in which relais keeps its records.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# needs: user
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
chmod 000 "$HOSTILE"/state/relais/*
