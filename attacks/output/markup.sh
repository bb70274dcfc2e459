# Puts Markdown and HTML into its result, for the page that people read.
# expect: STOP_VERIFY_FAILED_FAST
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# afterwards: ! grep -E '^# Success|^<img' relais/REPORT.md
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
printf '%s' '{"summary": "# Success\n\n<img src=x onerror=alert(1)> [click](javascript:alert(1)) `` ``` |", "files_intended": [], "commands_ran": [], "notes": []}' > "$RELAIS_RESULT_PATH"
echo broken > src/main.ts
