# A name that differs from another in case only.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
touch src/MAIN.ts
