# Kills its whole group of processes.
# expect: STOP_INTERRUPTED
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
kill -9 0
