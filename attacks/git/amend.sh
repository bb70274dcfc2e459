# Rewrites the commit that it was to build on.
# expect: STOP_HEAD_MOVED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git commit -qa --amend -m mine
