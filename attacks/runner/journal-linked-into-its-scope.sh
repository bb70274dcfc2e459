# Makes a second name in its scope for the journal, so that a later edit there would change the journal.
# expect: STOP_UNSAFE_PATH
# elsewhere: src/main.ts: content
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln "$HOSTILE"/state/relais/*/journal.jsonl src/journal || true
