# Leaves a good result where results are strictly read, and prints a lot.
# expect: SUCCESS
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
seq 1 20000
echo '{"summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
