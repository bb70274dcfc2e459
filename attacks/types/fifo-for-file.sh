# A pipe in place of a tracked file.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
rm src/main.ts
mkfifo src/main.ts
