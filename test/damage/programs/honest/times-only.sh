# Nothing changes but times.
# expect: SUCCESS
set -e
touch src/main.ts docs/guide.md .env relais/STATE.json
