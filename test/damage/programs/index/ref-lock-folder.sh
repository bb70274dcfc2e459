# A folder in the place of a branch's lock: the branch cannot be moved any more.
# expect: STOP_GIT_METADATA_MUTATION
set -e
mkdir .git/refs/heads/main.lock
