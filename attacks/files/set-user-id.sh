# Marks a file so that it runs as its owner.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod 4755 src/other.ts
