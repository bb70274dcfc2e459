# Deletes everything that relais keeps outside the repository.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: journal_changed
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
rm -rf "$XDG_STATE_HOME/relais"
