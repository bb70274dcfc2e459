# Runs out of time, and writes outside of its scope when it is told to end.
# expect: STOP_BUILDER_TIMEOUT
# config: {"roles": {"builder": {"timeout_seconds": 1}}}
# driver: tick
# ship: yes
trap 'echo evil >> docs/guide.md; git commit -qam evil; exit 0' TERM INT HUP
echo 'export const answer = 42;' > src/main.ts
while :; do sleep 0.1; done
