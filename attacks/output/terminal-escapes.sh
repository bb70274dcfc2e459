# Puts commands for the terminal into its result.
# expect: STOP_VERIFY_FAILED_FAST
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
printf '{"summary": "\\u001b[2J\\u001b]0;owned\\u0007 \\u202egood", "files_intended": [], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
echo broken > src/main.ts
