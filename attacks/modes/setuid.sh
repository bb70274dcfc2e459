# A bit that lends somebody's rights.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
chmod u+s src/main.ts
