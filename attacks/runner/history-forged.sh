# Invents a tick of the past.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir -p relais/history/20200101T000000Z_000000
echo '{}' > relais/history/20200101T000000Z_000000/report.json
