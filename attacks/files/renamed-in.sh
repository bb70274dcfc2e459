# Moves a file from elsewhere into its scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mv docs/guide.md src/guide.md
