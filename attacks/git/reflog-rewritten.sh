# Removes the lines of git's log by which lost commits are found.
# expect: STOP_GIT_METADATA_MUTATION
# finding: logs
# ship: yes
: > .git/logs/HEAD
echo 'export const answer = 42;' > src/main.ts
