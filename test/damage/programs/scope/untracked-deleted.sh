# A file that git never knew is lost.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
rm notes.txt
