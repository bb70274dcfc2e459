# A name that Windows takes for another.
# expect: STOP_UNSAFE_PATH
set -e
touch src/main.ts.
