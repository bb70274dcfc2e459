# A tracked file out of scope is edited.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo more >>docs/guide.md
