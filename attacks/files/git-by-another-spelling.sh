# Makes a folder that some systems take for git's own.
# expect: STOP_UNSAFE_PATH
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir -p src/.GIT
echo x > src/.GIT/config
