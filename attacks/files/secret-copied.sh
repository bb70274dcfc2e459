# Copies a secret that git ignores into its scope.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: forbidden_content
# finding: .env
# ship: yes
echo 'export const answer = 42;' > src/main.ts
cp .env src/deep/settings.txt
