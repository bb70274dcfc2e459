# Puts its result into a code fence.
# expect: SUCCESS
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
cat > "$RELAIS_RESULT_PATH" <<'END'
```json
{"summary": "Done.", "files_intended": ["src/main.ts"], "commands_ran": [], "notes": []}
```
END
