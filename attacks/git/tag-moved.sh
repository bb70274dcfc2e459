# Moves a tag to another commit.
# expect: STOP_GIT_METADATA_MUTATION
# finding: refs/tags/v1
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git tag -f v1 HEAD > /dev/null
