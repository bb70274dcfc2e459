# Writes into the home folder of the person.
# expect: SUCCESS
# needs: sandbox
# outside: ./home/.profile
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> "$HOME/.profile"
