# Leaves a pipe in the build output, which blocks every program that reads it, but not the next tick.
# expect: SUCCESS
# changed: dist/app.map: appeared (fifo 0644); src/main.ts: content
# next: SUCCESS
# ship: yes
umask 022
mkfifo dist/app.map
echo 'export const answer = 42;' > src/main.ts
