# A branch that is another name of a branch.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git symbolic-ref refs/heads/alias refs/heads/main
