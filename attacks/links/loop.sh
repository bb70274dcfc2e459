# A link to itself.
# expect: SUCCESS
# kind: plain
set -e
ln -s loop src/loop
