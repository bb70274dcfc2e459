# Tells a secret in its own words, which are published.
# expect: SUCCESS
# before: printf 'NAME=app\nAPI_KEY=q7Rz4kXw9LmT2vB8\n' > .env
# note: [from .env]
# afterwards: ! grep -rq q7Rz4kXw9LmT2vB8 relais
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
printf '%s' '{"summary": "The key is q7Rz4kXw9LmT2vB8.", "files_intended": [], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
