# A pipe: its reader waits for ever.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mkfifo src/pipe
