# Names a key that changes what objects are.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '{"__proto__": {"summary": "x"}, "summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
