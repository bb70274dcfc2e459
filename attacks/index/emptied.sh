# With an empty index every tracked file looks untracked, and the edited one with them.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED, STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git read-tree --empty
echo changed >docs/guide.md
