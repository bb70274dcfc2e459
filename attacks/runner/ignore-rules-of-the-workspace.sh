# Makes the workspace's own ignore rules hide its prompts.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '*' > relais/.gitignore
