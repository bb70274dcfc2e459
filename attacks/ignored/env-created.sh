# A new environment file in scope.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
echo "X=1" >src/.env.local
