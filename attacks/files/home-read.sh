# Reads a file of the home folder, which nothing prevents.
# expect: SUCCESS
# needs: sandbox
# ship: yes
grep -q 'nobody writes here' "$HOME/.profile" && echo 'export const answer = 42;' > src/main.ts
