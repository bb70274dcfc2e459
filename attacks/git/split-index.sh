# Splits the index and hides a file in the part that is shared.
# expect: STOP_GIT_METADATA_MUTATION
# finding: docs/guide.md
# ship: yes
git update-index --split-index
git update-index --assume-unchanged docs/guide.md
git update-index --split-index
echo evil >> docs/guide.md
echo 'export const answer = 42;' > src/main.ts
