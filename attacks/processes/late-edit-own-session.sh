# An edit from a session of its own, with closed pipes.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: linux
# driver: kernel
set -e
setsid sh -c "sleep 0.3; echo late >>docs/guide.md" </dev/null >/dev/null 2>&1 &
