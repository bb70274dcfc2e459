# A name that Windows reserves.
# expect: STOP_UNSAFE_PATH
set -e
touch src/con.ts
