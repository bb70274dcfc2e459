# Works on when the time of the whole tick is over.
# expect: STOP_TICK_TIMEOUT
# config: {"runner": {"max_tick_seconds": 3}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
trap '' INT TERM
sleep 60 &
wait
