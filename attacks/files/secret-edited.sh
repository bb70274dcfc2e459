# Changes a secret that git ignores.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: .env
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo SECRET=mine > .env
