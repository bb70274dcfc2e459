# A git directory in which nothing can be put back at first.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git branch sneaky
chmod 0555 .git .git/refs .git/refs/heads
