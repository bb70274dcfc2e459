# Goes on a branch without a history.
# expect: STOP_HEAD_MOVED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git checkout -q --orphan fresh
