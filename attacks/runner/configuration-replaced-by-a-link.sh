# Replaces the configuration by a link to one of its own.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mv relais.config.json src/config.json
ln -s src/config.json relais.config.json
