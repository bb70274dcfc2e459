# A file in place of a folder.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm -r docs
echo now a file >docs
