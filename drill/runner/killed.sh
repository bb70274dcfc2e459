# Kills the relais that started it.
# expect: STOP_INTERRUPTED
# recovered: asked
# next: SUCCESS
echo evil >> docs/guide.md
git commit -qam mine
kill -9 $PPID
sleep 30
