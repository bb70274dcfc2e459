# A name that looks the same as another, in other bytes.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
touch "$(printf 'src/lib/nai\314\210ve cafe\314\201.ts')"
