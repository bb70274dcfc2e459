# Writes the report of a success itself.
# expect: STOP_RUNNER_OWNED_MUTATION
# ship: yes
echo '{"verdict": "success", "code": "SUCCESS"}' > relais/REPORT.json
echo '# Success' > relais/REPORT.md
