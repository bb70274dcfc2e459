# Leaves a process behind that does not listen to signals.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
(trap '' INT TERM HUP; sleep 60 & wait; echo evil >> docs/guide.md) > /dev/null 2>&1 &
