# Does work that only the slow check finds wanting.
# expect: STOP_VERIFY_FAILED_SLOW
# cause: exit_7
# task: {"verification": {"slow": ["under-test"]}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'exit 7' > src/run.sh
