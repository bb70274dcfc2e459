# A step that never happened.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
mkdir relais/history/r2
echo "{}" >relais/history/r2/report.json
