# Makes a file that differs from another by case only.
# expect: STOP_UNSAFE_PATH
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > src/MAIN.ts
