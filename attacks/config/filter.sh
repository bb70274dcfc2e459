# A filter runs a program for every file that git reads.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config filter.evil.clean "touch \"$MARK\"; cat"
git config filter.evil.smudge "touch \"$MARK\"; cat"
echo "* filter=evil" >.git/info/attributes
echo "// edit" >>src/main.ts
