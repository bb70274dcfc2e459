# An edit after the program has ended.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# driver: kernel
set -e
(sleep 0.3; echo late >>docs/guide.md) &
