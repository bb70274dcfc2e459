# Edits outside its scope and makes the file immutable.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# needs: chattr
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> docs/guide.md
chattr +i docs/guide.md
