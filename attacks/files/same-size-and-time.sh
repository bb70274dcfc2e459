# Edits outside its scope, keeping size and time of the file.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
touch -r README.md src/stamp
printf '# Simple\n' > README.md
touch -r src/stamp README.md
rm src/stamp
