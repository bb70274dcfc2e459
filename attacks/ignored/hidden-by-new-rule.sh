# A rule in scope hides a protected name.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: plain
set -e
echo "*" >src/.gitignore
echo x >src/token.txt
