# A rule in scope hides a protected name.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
echo "*" >src/.gitignore
echo x >src/api-token.ts
