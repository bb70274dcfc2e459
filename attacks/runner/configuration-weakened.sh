# Replaces the check by one that is always green, for this tick and the next.
# expect: STOP_RUNNER_OWNED_MUTATION
# task: {"scope": {"allowed_globs": ["**"]}}
# next: SUCCESS
# driver: tick
# ship: yes
sed -i 's/"cmd": "grep"/"cmd": "true"/' relais.config.json
echo broken > src/main.ts
