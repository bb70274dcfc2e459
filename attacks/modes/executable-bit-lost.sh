# A script can no longer be run.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
chmod -x scripts/run.sh
