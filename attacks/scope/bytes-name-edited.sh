# A file whose existing name is not text is edited.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: linux
set -e
echo changed >"$(printf 'docs/bad\377.txt')"
