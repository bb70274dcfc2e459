# A careless copy of the git directory waits for ever.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkfifo .git/pipe
