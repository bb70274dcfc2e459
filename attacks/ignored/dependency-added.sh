# A dependency appears in a hidden folder.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
mkdir node_modules/.hidden
echo x >node_modules/.hidden/x.js
