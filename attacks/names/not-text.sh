# A new name that is not text.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
touch "$(printf 'src/bad\377.ts')"
