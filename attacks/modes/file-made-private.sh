# Another mode that git cannot see.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
chmod 0600 docs/guide.md
