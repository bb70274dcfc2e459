# Gives the checked out commit another parent through git's file of grafts.
# expect: STOP_GIT_METADATA_MUTATION
# finding: grafts
# ship: yes
mkdir -p .git/info
git rev-parse HEAD > .git/info/grafts
echo 'export const answer = 42;' > src/main.ts
