# A new name with a backslash.
# expect: STOP_UNSAFE_PATH
set -e
touch 'src/back\slash.ts'
