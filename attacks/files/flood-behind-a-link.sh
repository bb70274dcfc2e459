# Makes too many files, closes its folders, and puts links to the home folder in the place of folders that were there.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_files
# config: {"isolation":"in_place","runner":{"max_new_files":300}}
# driver: tick
# ship: yes
rm -rf docs src/deep
ln -s "$HOSTILE/home" docs
ln -s "$HOSTILE/place/neighbour" src/deep
ln -s "$HOSTILE/home" src/link
for folder in 1 2 3; do
  mkdir src/$folder
  for n in $(seq 1 700); do : > src/$folder/$n.ts; done
  ln -s "$HOSTILE/home" src/$folder/link
  chmod 000 src/$folder
done
chmod 500 src
