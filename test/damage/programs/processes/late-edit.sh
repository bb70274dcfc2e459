# An edit after the program has ended.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
(sleep 0.3; echo late >>docs/guide.md) &
