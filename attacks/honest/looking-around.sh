# Looks at the repository with git and adds its work to the index.
# expect: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git status > /dev/null
git diff > /dev/null
git log --oneline > /dev/null
git add -A
git diff --cached > /dev/null
