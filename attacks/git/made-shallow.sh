# Cuts the history off with a file of git that says where it ends.
# expect: STOP_GIT_METADATA_MUTATION
# finding: shallow
# ship: yes
git rev-parse HEAD > .git/shallow
echo 'export const answer = 42;' > src/main.ts
