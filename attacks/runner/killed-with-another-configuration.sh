# Forges the configuration that relais keeps of its tick, and kills relais.
# expect: STOP_INTERRUPTED
# recovered: yes
# next: SUCCESS
# needs: linux
# driver: tick
# ship: yes
for run in "$HOSTILE"/state/relais/*/runs/*; do
  echo '{"workspace_dir": "src", "scope": {"default_forbidden_globs": []}, "runner": {"lockfile": "src/lock.json"}}' > "$run/config.json"
done
echo 'export const answer = 43;' > src/main.ts
kill -9 "$PPID"
