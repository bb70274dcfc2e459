# Closes all of its outputs and goes on working.
# expect: STOP_BUILDER_TIMEOUT
# config: {"builder": {"command": {"timeout_seconds": 1}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
exec > /dev/null 2>&1 < /dev/null
exec >&- 2>&- <&-
sleep 60
