# A small binary file.
# expect: SUCCESS
# kind: plain
set -e
head -c 20000 /dev/urandom >src/picture.png
