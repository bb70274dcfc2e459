# A sticky folder.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
chmod +t docs
