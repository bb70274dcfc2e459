# Kills its whole group of processes.
# expect: STOP_INTERRUPTED
echo 'export const answer = 42;' > src/main.ts
kill -9 0
