# Puts pipes in the place of the remembered contents alone, and edits a file that must be restored from them.
# expect: STOP_INTERRUPTED
# next: SUCCESS
# driver: tick
# ship: yes
find "$HOSTILE"/state/relais/*/judge.git/objects/?? -type f | while read -r object; do
  rm -f "$object"
  mkfifo "$object"
done
echo evil >> docs/guide.md
