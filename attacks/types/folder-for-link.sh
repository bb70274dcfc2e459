# A folder in place of a link.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm docs/latest
mkdir docs/latest
echo x >docs/latest/file
