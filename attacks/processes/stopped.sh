# Stops itself and a child of its own without ending, and never goes on.
# expect: STOP_BUILDER_TIMEOUT
# config: {"builder": {"command": {"timeout_seconds": 2}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
(trap '' TERM INT HUP; setsid sh -c 'kill -STOP $$' &)
kill -STOP $$
