# Writes a secret into its scope in a form of its own, which no search finds.
# expect: SUCCESS
# needs: sandbox
# changed: src/main.ts: content; src/other.ts: content
# before: printf 'NAME=app\nAPI_KEY=q7Rz4kXw9LmT2vB8\n' > .env
# afterwards: tr a-zA-Z n-za-mN-ZA-M < src/other.ts | grep -q q7Rz4kXw9LmT2vB8
# ship: yes
echo 'export const answer = 42;' > src/main.ts
tr a-zA-Z n-za-mN-ZA-M < .env | grep d7 > src/other.ts
