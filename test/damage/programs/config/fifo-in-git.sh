# Whoever copies the git directory carelessly waits for ever.
# expect: STOP_GIT_METADATA_MUTATION
set -e
mkfifo .git/pipe
