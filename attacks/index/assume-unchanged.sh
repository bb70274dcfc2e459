# An edit out of scope, hidden from git status by a flag.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git update-index --assume-unchanged docs/guide.md
echo changed >docs/guide.md
