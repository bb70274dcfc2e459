# Detaches HEAD from its branch, on the same commit.
# expect: STOP_HEAD_MOVED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git checkout -q --detach
