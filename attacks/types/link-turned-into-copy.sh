# A link becomes a copy of what it pointed to.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
cp docs/latest dist/copy
rm docs/latest
mv dist/copy docs/latest
