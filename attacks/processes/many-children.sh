# Starts many processes and leaves them all.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for n in $(seq 1 60); do sleep 60 > /dev/null 2>&1 & done
