# An empty folder, which git cannot see.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
mkdir hollow
