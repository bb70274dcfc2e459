# Makes one new file after the other and ignores the signals that ask it to end.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_files
# says: More than 300 new files and folders
# config: {"isolation":"in_place","runner":{"max_new_files":300},"builder":{"command":{"timeout_seconds":60}}}
# driver: tick
# ship: yes
trap '' INT TERM
n=0
while true; do
  n=$((n + 1))
  : > "src/$n.ts"
  [ $((n % 50)) = 0 ] && sleep 0.05
done
