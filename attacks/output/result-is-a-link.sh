# Leaves a link to a file of the system as its result.
# expect: STOP_BUILDER_OUTPUT_INVALID
# cause: result_is_link
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln -s /etc/passwd "$RELAIS_RESULT_PATH"
