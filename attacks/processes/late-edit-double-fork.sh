# An edit by a grandchild that nobody waits for.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: linux
# driver: kernel
set -e
(setsid sh -c "(sleep 0.3; rm docs/guide.md) &" </dev/null >/dev/null 2>&1 &)
