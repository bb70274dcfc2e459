# A pipe in a folder that builds may write.
# expect: STOP_UNSAFE_PATH, SUCCESS
# kind: plain
set -e
mkfifo dist/pipe
