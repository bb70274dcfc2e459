# Writes more lines than the task has room for, in a file that is new.
# expect: STOP_DIFF_TOO_LARGE
# ship: yes
echo 'export const answer = 42;' > src/main.ts
seq 1 5000 > src/numbers.ts
