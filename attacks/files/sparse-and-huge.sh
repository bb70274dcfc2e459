# Makes a file of many bytes and no lines.
# expect: STOP_DIFF_TOO_LARGE
# ship: yes
echo 'export const answer = 42;' > src/main.ts
truncate -s 300M src/huge.bin
