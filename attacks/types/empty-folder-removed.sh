# An empty folder that was there before.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rmdir empty
