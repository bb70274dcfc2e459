# A new name that paints the terminal.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch "$(printf 'src/\033[31mred.ts')"
