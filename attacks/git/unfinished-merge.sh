# Leaves a merge in the middle.
# expect: STOP_GIT_METADATA_MUTATION
# before: git switch -q other && echo a > README.md && git commit -qam a && git switch -q work
# ship: yes
git merge -q --no-ff --no-commit other > /dev/null
echo 'export const answer = 42;' > src/main.ts
