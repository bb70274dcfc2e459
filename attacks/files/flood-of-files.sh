# Makes more new files than a tick may add, in folders of its own and in one that was there.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_files
# finding: More than 300 new files and folders
# says: It made more files than a tick may add
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# next: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for folder in src/deep src/new src/new/er; do
  mkdir -p $folder
  for n in $(seq 1 1000); do echo $n > "$folder/$n.ts"; done
done
