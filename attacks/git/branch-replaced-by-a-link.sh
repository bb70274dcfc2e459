# Makes the checked out branch a link to a file in its scope, which can be changed like any other.
# expect: STOP_HEAD_MOVED
# elsewhere: src/branch: appeared (file 0644); src/main.ts: content
# ship: yes
umask 022
git rev-parse HEAD > src/branch
ln -sf ../../../src/branch .git/refs/heads/work
echo 'export const answer = 42;' > src/main.ts
