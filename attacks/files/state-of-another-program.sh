# Deletes what another program keeps in the folder for states.
# expect: SUCCESS
# needs: sandbox
# outside: ./state/other
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -r "$XDG_STATE_HOME/other"
