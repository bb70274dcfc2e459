# A folder in scope whose name is protected, in capitals.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
mkdir src/SECRETS
echo x >src/SECRETS/key.pem
