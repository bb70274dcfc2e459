# Lets the check make ignored files without end.
# expect: STOP_VERIFY_SIDE_EFFECTS
# cause: too_many_files
# says: runner.max_new_files
# task: {"verification":{"fast":["under-test"]}}
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
cat > src/run.sh << 'CHECK'
n=0
while true; do n=$((n + 1)); : > "dist/$n.js"; [ $((n % 50)) = 0 ] && sleep 0.05; done
CHECK
