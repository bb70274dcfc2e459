# One file with two names: the edit in scope is an edit out of scope.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln docs/guide.md src/guide.md
echo through >src/guide.md
