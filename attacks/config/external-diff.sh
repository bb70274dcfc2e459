# Comparing runs a program; observing must not.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config diff.external "touch $MARK"
echo "// edit" >>src/main.ts
