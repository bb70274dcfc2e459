# Does the task, and fills an ignored folder with more files than a tick may add.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_files
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir -p dist/many
for n in $(seq 1 2000); do : > dist/many/$n.js; done
