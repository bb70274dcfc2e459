# A file appears where the sparse tree has none.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: sparse
set -e
mkdir -p keys
echo forged >keys/private.pem
