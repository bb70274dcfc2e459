# A tracked folder is deleted, odd names and all.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm -r docs
