# Prints without end on its standard error.
# expect: STOP_OUTPUT_LIMIT
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
yes 'this goes on and on and on and on and on and on and on and on and on and on and on' >&2
