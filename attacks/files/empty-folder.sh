# Makes an empty folder outside its scope, which git does not see.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir docs/empty
