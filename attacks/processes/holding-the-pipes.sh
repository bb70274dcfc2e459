# Leaves a process behind that holds its output open.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
sleep 60 &
