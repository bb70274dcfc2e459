# Makes its own work unreadable.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod 000 src/other.ts
