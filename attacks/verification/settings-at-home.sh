# Has the package manager's settings in the home folder name a shell of its own.
# expect: SUCCESS
# needs: sandbox
# outside: ./home/.npmrc
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo "script-shell=$PWD/src/shell.sh" >> "$HOME/.npmrc"
