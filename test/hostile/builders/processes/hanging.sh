# Never ends.
# expect: STOP_BUILDER_TIMEOUT
# cause: timeout
# config: {"builder": {"cursor": {"timeout_seconds": 1}}}
echo 'export const answer = 42;' > src/main.ts
sleep 60
