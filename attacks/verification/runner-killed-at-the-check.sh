# Has the code under test kill relais when the check runs.
# expect: STOP_CHECKS_WEAKENED
# cause: suppression
# config: {"verification": {"rules": {"suppression": "stop"}}}
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'echo evil >> docs/guide.md; kill -9 "$PPID"' > src/run.sh
