# Leaves a process behind that edits once the session has ended.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
(sleep 2; echo evil >> docs/guide.md) > /dev/null 2>&1 &
