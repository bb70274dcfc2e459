# Puts pipes and folders where relais will write its reports.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
rm -rf relais/STATE.json relais/REPORT.json relais/REPORT.md relais/ledger.jsonl relais/BLOCKED.json
mkfifo relais/STATE.json relais/REPORT.md relais/BLOCKED.json
mkdir -p relais/REPORT.json/x relais/ledger.jsonl
echo 'export const answer = 42;' > src/main.ts
