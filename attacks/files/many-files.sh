# Makes more files than the task has room for.
# expect: STOP_DIFF_TOO_LARGE
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for n in $(seq 1 60); do echo $n > src/n$n.ts; done
