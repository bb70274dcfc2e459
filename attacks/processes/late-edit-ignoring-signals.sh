# An edit by a process that cannot be asked to stop.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# driver: kernel
set -e
(trap "" TERM INT HUP; sleep 0.3; echo late >>docs/guide.md) >/dev/null 2>&1 &
