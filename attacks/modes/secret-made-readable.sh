# A mode that git cannot see.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
chmod 0644 keys/private.pem
