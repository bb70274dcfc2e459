# Collects garbage at once and so loses what only the reflog knows.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git reflog expire --expire=now --all
git gc -q --prune=now
