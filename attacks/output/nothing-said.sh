# Leaves no result at all.
# expect: STOP_BUILDER_OUTPUT_INVALID
# cause: result_missing
# config: {"builder": {"claude_code": {"strict_builder_json": true}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
