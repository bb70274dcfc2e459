# Makes a link in its scope that leads to a secret.
# expect: STOP_UNSAFE_PATH
# finding: protected
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln -s ../.env src/settings.txt
