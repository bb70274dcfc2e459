# Gives a folder of its scope bits that everything new in it inherits, and opens it to everybody.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod 3777 src
