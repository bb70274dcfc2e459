# A folder in scope claims the outer git directory for itself.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mkdir src/inner
echo "gitdir: ../../.git" >src/inner/.git
