# Marks a file as not checked out, and then edits it.
# expect: STOP_GIT_METADATA_MUTATION
# finding: docs/guide.md
# ship: yes
git update-index --skip-worktree docs/guide.md
echo evil >> docs/guide.md
echo 'export const answer = 42;' > src/main.ts
