# A secret gets a second name in scope.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln .env src/settings.ts
