# Leaves a lock behind that keeps everybody from using the index.
# expect: STOP_GIT_METADATA_MUTATION
# finding: index.lock
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
: > .git/index.lock
