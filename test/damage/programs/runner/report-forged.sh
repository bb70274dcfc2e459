# A report is written before the runner does.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
echo '{ "code": "SUCCESS" }' >relais/REPORT.json
