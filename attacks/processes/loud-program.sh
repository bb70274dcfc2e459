# A program that prints megabytes before it does damage.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
head -c 4000000 /dev/zero
echo changed >docs/guide.md
