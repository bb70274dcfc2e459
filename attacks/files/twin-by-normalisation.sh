# Makes two files whose names look the same.
# expect: STOP_UNSAFE_PATH
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > "$(printf 'src/caf\303\251.ts')"
echo x > "$(printf 'src/cafe\314\201.ts')"
