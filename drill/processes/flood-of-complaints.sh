# Prints without end on its standard error.
# expect: STOP_OUTPUT_LIMIT
echo 'export const answer = 42;' > src/main.ts
yes 'this goes on and on and on and on and on and on and on and on and on and on and on' >&2
