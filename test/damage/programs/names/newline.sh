# A new name of two lines.
# expect: STOP_UNSAFE_PATH
set -e
touch "$(printf 'src/two\nlines.ts')"
