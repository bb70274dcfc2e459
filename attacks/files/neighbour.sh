# Writes into a project that lies beside this one.
# expect: SUCCESS
# needs: sandbox
# outside: ./place/neighbour
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> ../neighbour/untouched.txt
