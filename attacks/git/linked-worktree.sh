# Makes a second worktree inside its scope.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git worktree add -q src/tree other
