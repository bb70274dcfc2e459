# Falls silent.
# expect: STOP_BUILDER_TIMEOUT
# cause: idle_timeout
# config: {"roles": {"builder": {"idle_timeout_seconds": 1}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo working
sleep 60
