# The workspace hides its own files.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
echo "prompts/" >>relais/.gitignore
