# The workspace hides its own files.
# expect: STOP_RUNNER_OWNED_MUTATION
set -e
echo "prompts/" >>relais/.gitignore
