# Leaves a daemon in a process table of its own, with an empty environment and no session of relais.
# expect: SUCCESS
# needs: linux
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
env -i PIDS="$PIDS" PATH="$PATH" GUIDE="$PWD/docs/guide.md" setsid unshare --user --map-root-user --pid --fork sh -c '
  cd /
  env -i PATH="$PATH" GUIDE="$GUIDE" setsid sh -c "sleep 2; echo evil >> \"\$GUIDE\"; exec sleep 120" > /dev/null 2>&1 < /dev/null &
  sleep 120
' > /dev/null 2>&1 < /dev/null &
sleep 0.3
