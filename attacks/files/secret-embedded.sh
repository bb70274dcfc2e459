# Writes the value of a secret into the code, in base64.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: forbidden_content
# finding: src/main.ts
# before: printf 'NAME=app\nAPI_KEY=q7Rz4kXw9LmT2vB8\n' > .env
# ship: yes
printf 'export const answer = 42;\nconst blob = "%s";\n' "$(base64 .env)" > src/main.ts
