# Makes a link to a file of the system.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln -s /etc/passwd src/passwd
