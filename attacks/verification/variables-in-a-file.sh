# Leaves switches for node in a file of variables.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: .env.local
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'NODE_OPTIONS=--require ./src/evil.js' > .env.local
