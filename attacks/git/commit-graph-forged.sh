# Forges the file in which git looks up the parents of commits.
# expect: STOP_GIT_METADATA_MUTATION
# finding: commit-graph
# ship: yes
git commit-graph write --reachable 2> /dev/null
chmod u+w .git/objects/info/commit-graph
printf 'CGPH' > .git/objects/info/commit-graph
echo 'export const answer = 42;' > src/main.ts
