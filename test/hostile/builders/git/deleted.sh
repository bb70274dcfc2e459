# Deletes the whole repository of git.
# expect: STOP_GIT_METADATA_MUTATION
# next: SUCCESS
echo 'export const answer = 42;' > src/main.ts
rm -rf .git
