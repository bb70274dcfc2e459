# Deletes every file, ignored ones and the workspace of relais included.
# expect: STOP_RUNNER_OWNED_MUTATION
# next: SUCCESS
# ship: yes
rm -rf ./* .env .gitignore
