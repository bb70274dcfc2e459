# Deletes everything that relais keeps outside the repository.
# expect: BLOCKED_ROLLBACK_FAILED
# needs: sandbox
echo evil >> docs/guide.md
rm -rf "$XDG_STATE_HOME/relais"
