# Deletes what relais remembers of all contents, and edits a file outside of its scope.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: SUCCESS
# driver: tick
# ship: yes
rm -rf "$HOSTILE"/state/relais/*/judge.git
echo evil >> docs/guide.md
