# Makes the device by which an overlay marks a deleted file.
# expect: STOP_UNSAFE_PATH
# finding: src/gone
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mknod src/gone c 0 0
true
