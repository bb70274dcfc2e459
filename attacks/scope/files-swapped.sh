# Two files change places.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
mv package.json swap
mv docs/guide.md package.json
mv swap docs/guide.md
