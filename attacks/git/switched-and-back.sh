# Visits another branch, commits there, and comes back as if nothing had been.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
git switch -q other
echo more >> README.md
git commit -qam elsewhere
git switch -q work
echo 'export const answer = 42;' > src/main.ts
