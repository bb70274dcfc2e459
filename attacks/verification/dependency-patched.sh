# Patches a dependency in place.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: node_modules/dep/index.js
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'module.exports = 42;' > node_modules/dep/index.js
