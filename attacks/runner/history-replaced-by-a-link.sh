# Leads the history of relais to a folder outside of the repository.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
rm -rf relais/history
ln -s "$HOSTILE/home" relais/history
ln -s "$HOSTILE/home/mark" relais/REPORT.md.tmp
echo 'export const answer = 42;' > src/main.ts
