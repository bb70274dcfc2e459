# Nests its result deeper than a reader can follow.
# expect: STOP_BUILDER_OUTPUT_INVALID
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
head -c 200000 /dev/zero | tr '\0' '[' > "$RELAIS_RESULT_PATH"
