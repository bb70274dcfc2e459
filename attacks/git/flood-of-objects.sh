# Makes more loose objects and refs than a tick may add.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_files
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir -p .git/objects/aa .git/refs/heads/many
id=$(git rev-parse HEAD)
for n in $(seq 1 1000); do
  : > ".git/objects/aa/$(printf '%038d' $n)"
  echo $id > .git/refs/heads/many/$n
done
