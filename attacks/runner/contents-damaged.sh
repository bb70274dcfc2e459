# Overwrites the remembered contents, and edits a file that must be restored from them.
# expect: STOP_INTERRUPTED
# next: SUCCESS
# driver: tick
# ship: yes
find "$HOSTILE"/state/relais/*/judge.git/objects/?? -type f -exec chmod u+w {} + -exec sh -c 'for f; do echo x > "$f"; done' - {} +
echo evil >> docs/guide.md
