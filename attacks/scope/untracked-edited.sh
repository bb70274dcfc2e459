# A file that git never knew is overwritten.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo changed >notes.txt
