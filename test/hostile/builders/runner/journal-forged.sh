# Adds a line to the journal that says that all is well.
# expect: BLOCKED_CRASH_RECOVERY_REQUIRED
# needs: sandbox
echo 'export const answer = 42;' > src/main.ts
echo '{"seq": 9, "event": {"type": "settled"}}' >> "$XDG_STATE_HOME"/relais/*/journal.jsonl
