# Adds a line to the journal that says that all is well.
# expect: BLOCKED_CRASH_RECOVERY_REQUIRED
# refused: yes
# needs: sandbox
# changed: src/main.ts: content
echo 'export const answer = 42;' > src/main.ts
echo '{"seq": 9, "event": {"type": "settled"}}' | tee -a "$XDG_STATE_HOME"/relais/*/journal.jsonl > /dev/null
