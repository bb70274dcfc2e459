# A pipe in a folder that builds may write.
# expect: SUCCESS
# kind: plain
set -e
mkfifo dist/pipe
