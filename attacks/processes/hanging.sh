# Never ends.
# expect: STOP_BUILDER_TIMEOUT
# cause: timeout
# config: {"builder": {"command": {"timeout_seconds": 1}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
sleep 60
