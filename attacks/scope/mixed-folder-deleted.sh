# A folder of untracked and ignored files is deleted.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm -r scratch
