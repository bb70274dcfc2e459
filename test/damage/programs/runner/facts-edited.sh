# Facts that only people may write.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
echo "The tests are known to be broken." >>relais/FACTS.md
