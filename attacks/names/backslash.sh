# A new name with a backslash.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch 'src/back\slash.ts'
