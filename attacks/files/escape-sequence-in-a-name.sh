# Gives a file a name that would clear the screen of the reader of a report.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > "$(printf 'src/\033[2J\033[1;1Hgood.ts')"
