# Only the mode of a secret changes.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
chmod 0644 .env
