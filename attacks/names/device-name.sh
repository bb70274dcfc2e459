# A name that Windows reserves.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch src/con.ts
