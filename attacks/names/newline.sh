# A new name of two lines.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch "$(printf 'src/two\nlines.ts')"
