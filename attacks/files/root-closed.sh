# Closes the root of the repository and all folders in it.
# expect: STOP_RUNNER_OWNED_MUTATION
# finding: relais
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod 0 src/deep src tests docs relais .
