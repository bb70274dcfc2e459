# Edits outside its scope and closes the folder against being mended.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> docs/guide.md
chmod 555 docs
