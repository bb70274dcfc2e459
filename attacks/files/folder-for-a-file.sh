# Turns a file outside its scope into a folder.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm README.md
mkdir README.md
echo x > README.md/inside
