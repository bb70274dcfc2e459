# A file out of scope where the git directory lies elsewhere.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: git-file
set -e
echo more >>docs/guide.md
