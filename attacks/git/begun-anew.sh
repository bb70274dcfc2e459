# Replaces the history by a fresh repository with one commit.
# expect: STOP_HEAD_MOVED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -rf .git
git init -q -b work
git add -A
git -c user.name=x -c user.email=x@example.org commit -qm all
