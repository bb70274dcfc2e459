# Puts pipes in the place of all remembered contents, and edits a file that must be restored from them.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: SUCCESS
# driver: tick
# ship: yes
find "$HOSTILE"/state/relais/*/judge.git -type f | while read -r object; do
  rm -f "$object"
  mkfifo "$object"
done
echo evil >> docs/guide.md
