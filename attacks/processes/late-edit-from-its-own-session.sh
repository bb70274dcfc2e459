# Leaves such a process behind in a session of its own, with a parent that is gone.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
(setsid sh -c '(sleep 2; echo evil >> docs/guide.md) &' > /dev/null 2>&1 &)
