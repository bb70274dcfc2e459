# New rules would hide a new file.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo "docs/" >>.gitignore
echo hidden >docs/hidden.md
