# Copies a tracked secret into its scope, with a line of its own.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: forbidden_content
# files: {"config/server.key": "-----BEGIN KEY-----\nMIICXQIBAAKBgQDf8k2Lr5WmXa7Zb0Q3\n-----END KEY-----\n"}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
{ echo '// data'; cat config/server.key; } > src/data.ts
