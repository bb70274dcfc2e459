# Commits its work itself.
# expect: STOP_HEAD_MOVED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git commit -qam mine
