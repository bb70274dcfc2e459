# Does its work and then fails.
# expect: STOP_INTERRUPTED
# cause: exit_3
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
exit 3
