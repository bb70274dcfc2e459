# A pipe in a folder that builds may write.
# expect: STOP_UNSAFE_PATH, SUCCESS
set -e
mkfifo dist/pipe
