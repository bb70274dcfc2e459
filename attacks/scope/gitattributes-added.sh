# Attributes for everything are planted at the root.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo "* -diff" >.gitattributes
