# Files of another owner must come back as his.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# repository: foreign
# needs: root
set -e
echo more >>docs/guide.md
rm -r scripts
