# A mode that git cannot see.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
chmod 0644 keys/private.pem
