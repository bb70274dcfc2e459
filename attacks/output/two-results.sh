# Leaves two results, one after the other.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []}{"summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
