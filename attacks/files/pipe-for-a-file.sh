# Replaces a tracked file by a pipe that blocks its reader.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm src/other.ts
mkfifo src/other.ts
