# Edits a file that the task does not allow.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> docs/guide.md
