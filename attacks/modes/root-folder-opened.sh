# Everybody may write to the repository's own folder.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
chmod 0777 .
