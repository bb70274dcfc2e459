# Kills the relais that started it.
# expect: STOP_INTERRUPTED
# recovered: asked
# next: SUCCESS
# driver: tick
# ship: yes
echo evil >> docs/guide.md
git commit -qam mine
kill -9 $PPID
sleep 30
