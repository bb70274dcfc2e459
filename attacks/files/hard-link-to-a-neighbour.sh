# Makes a second name for a file outside the repository.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln ../neighbour/untouched.txt src/mine.txt
