# Files of another owner must come back as his.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: foreign
# needs: root
# driver: kernel
set -e
echo more >>docs/guide.md
rm -r scripts
