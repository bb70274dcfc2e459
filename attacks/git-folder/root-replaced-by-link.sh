# The repository is moved away and a link left in its place.
# expect: STOP_HEAD_MOVED
# kind: plain
# before: true
set -e
cd ..
mv repo moved
ln -s moved repo
