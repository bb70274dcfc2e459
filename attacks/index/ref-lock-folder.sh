# A folder in the place of a branch's lock: the branch cannot be moved any more.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir .git/refs/heads/main.lock
