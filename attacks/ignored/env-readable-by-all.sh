# Only the mode of a secret changes.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
chmod 0644 .env
