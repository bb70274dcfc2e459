# Leaves a result of many megabytes.
# expect: STOP_BUILDER_OUTPUT_INVALID
# cause: result_too_large
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
head -c 30000000 /dev/zero | tr '\0' ' ' > "$RELAIS_RESULT_PATH"
