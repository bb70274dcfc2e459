# A file out of scope in a linked worktree.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: linked-worktree
set -e
echo more >>docs/guide.md
