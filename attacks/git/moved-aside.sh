# Moves git's data away and leaves a file that points there.
# expect: STOP_HEAD_MOVED
# ship: yes
mv .git src/data
echo 'gitdir: src/data' > .git
echo 'export const answer = 42;' > src/main.ts
