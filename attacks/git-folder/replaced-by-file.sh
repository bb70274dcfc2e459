# The git directory is moved and a file points there: git works as if nothing happened.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
mv .git dist/real.git
echo "gitdir: dist/real.git" >.git
