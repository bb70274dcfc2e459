# Everybody may write to a folder.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
chmod 0777 docs
