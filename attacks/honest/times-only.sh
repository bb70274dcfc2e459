# Nothing changes but times.
# expect: SUCCESS
# kind: plain
# driver: kernel
set -e
touch src/main.ts docs/guide.md .env relais/STATE.json
