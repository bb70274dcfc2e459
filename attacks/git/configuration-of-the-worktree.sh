# Switches on a second configuration, for this worktree alone, and names a folder of hooks there.
# expect: STOP_GIT_METADATA_MUTATION
# finding: config.worktree
# elsewhere: src/main.ts: content
# ship: yes
git config extensions.worktreeConfig true
git config --worktree core.hooksPath src/hooks
echo 'export const answer = 42;' > src/main.ts
