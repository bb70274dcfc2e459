# Leaves a pipe as its result, which blocks its reader.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkfifo "$RELAIS_RESULT_PATH"
