# The same with a symbolic link.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
mv .git dist/real.git
ln -s dist/real.git .git
