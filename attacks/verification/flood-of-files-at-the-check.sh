# Lets the check fill an ignored folder with more files than a tick may add.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: More than 300 new files and folders
# task: {"verification":{"fast":["under-test"]}}
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'mkdir -p dist/many; for n in $(seq 1 1000); do : > dist/many/$n.js; done' > src/run.sh
