# Gives a file a name that is no valid text.
# expect: STOP_UNSAFE_PATH
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > "$(printf 'src/\377\376')"
