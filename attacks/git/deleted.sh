# Deletes the whole repository of git.
# expect: STOP_HEAD_MOVED
# finding: the git directory was removed
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -rf .git
