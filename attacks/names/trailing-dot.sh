# A name that Windows takes for another.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch src/main.ts.
