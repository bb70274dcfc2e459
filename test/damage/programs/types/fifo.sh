# A pipe: its reader waits for ever.
# expect: STOP_UNSAFE_PATH
set -e
mkfifo src/pipe
