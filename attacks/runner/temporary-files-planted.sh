# Plants files under names that relais might write next.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln -s ../../neighbour/untouched.txt relais/REPORT.json.tmp
mkdir -p relais/.tmp/other
