# Makes a device that gives direct access to memory.
# expect: STOP_UNSAFE_PATH
# needs: root
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mknod src/zero c 1 5
