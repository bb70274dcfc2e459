# Fills an ignored folder with more data than a tick may add.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_bytes
# finding: More than 8 MB of new data
# says: It wrote more data than a tick may add
# config: {"isolation":"in_place","runner":{"max_new_mb":8}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for n in 1 2 3 4; do head -c 4000000 /dev/zero > dist/$n.bin; done
