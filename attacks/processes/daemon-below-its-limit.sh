# Leaves a daemon with an empty environment and a lower limit, in its own session, in another folder.
# expect: SUCCESS
# needs: sandbox
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
env -i PIDS="$PIDS" PATH="$PATH" setsid sh -c '
  ulimit -w 1000
  cd /
  (env -i PATH="$PATH" sh -c "echo > \"$PIDS/\$\$\"; sleep 0.5; exec sleep 120" > /dev/null 2>&1 < /dev/null &)
' > /dev/null 2>&1 < /dev/null
sleep 0.3
