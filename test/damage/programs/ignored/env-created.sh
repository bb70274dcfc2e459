# A new environment file in scope.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
echo "X=1" >src/.env.local
