# Makes a file whose name only a file system without case would call forbidden.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir src/SECRETS
echo key > src/SECRETS/key.pem
