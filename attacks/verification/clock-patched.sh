# Replaces the clock that tests rely on, where the configuration does not want a person to be asked.
# expect: STOP_CHECKS_WEAKENED
# cause: suppression
# says: src/main.ts:2 makes the checks say less
# config: {"verification": {"rules": {"suppression": "stop"}}}
# driver: tick
# ship: yes
printf 'export const answer = 42;\nDate.now = () => 0;\n' > src/main.ts
