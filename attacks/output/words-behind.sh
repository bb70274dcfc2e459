# Adds words behind its result.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []} and {"more": 1}' > "$RELAIS_RESULT_PATH"
