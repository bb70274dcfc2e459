# Makes a second name for a file outside its scope.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln README.md src/readme.md
