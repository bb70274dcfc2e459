# A pipe in place of a tracked file.
# expect: STOP_UNSAFE_PATH
set -e
rm src/main.ts
mkfifo src/main.ts
