# Deletes everything that relais keeps outside the repository.
# expect: BLOCKED_CRASH_RECOVERY_REQUIRED
# refused: yes
# needs: sandbox
# changed: docs/guide.md: content
echo evil >> docs/guide.md
rm -rf "$XDG_STATE_HOME/relais"
