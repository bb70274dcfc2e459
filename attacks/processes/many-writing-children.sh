# Many children write at once.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# driver: kernel
set -e
for n in $(seq 1 20); do (echo "$n" >"docs/child-$n.md") & done
