# Tells the system to end relais first where memory is short, and to run it after everything else.
# expect: SUCCESS
# needs: linux
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for process in $PPID $(ps -o ppid= -p $PPID); do
  echo 1000 > /proc/$process/oom_score_adj
  renice 19 -p $process > /dev/null
done 2> /dev/null
true
