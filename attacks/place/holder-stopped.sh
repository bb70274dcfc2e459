# Stops what holds the mounts of its place, so that it cannot end.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# needs: linux
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for folder in /proc/[0-9]*; do
  grep -qaF "$HOSTILE" "$folder/cmdline" 2> /dev/null && grep -qaF upperdir= "$folder/cmdline" || continue
  kill -STOP "${folder#/proc/}" 2> /dev/null
done
echo evil >> docs/guide.md
