# A new name that paints the terminal.
# expect: STOP_UNSAFE_PATH
set -e
touch "$(printf 'src/\033[31mred.ts')"
