# Does its work and then fails.
# expect: STOP_INTERRUPTED
# cause: exit_3
echo 'export const answer = 42;' > src/main.ts
exit 3
