# Makes a file where none may be made.
# expect: STOP_SCOPE_VIOLATION_NEW_FILE
# task: {"scope": {"allow_new_files": false}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > src/new.ts
