# Leaves a process behind that commits once the session has ended.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
(sleep 2; git commit -qam late) > /dev/null 2>&1 &
