# Lets a helper work in the background and waits for it.
# expect: SUCCESS
# ship: yes
(sleep 0.3; echo 'export const answer = 42;' > src/main.ts) &
wait
