# Leaves a result that is no valid text.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
printf '{"summary": "\377\376", "files_intended": [], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
