# Enters the namespaces of relais and of what holds its mounts, and edits there.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for folder in /proc/[0-9]*; do
  pid=${folder#/proc/}
  [ "$pid" != $$ ] && grep -qaF "$HOSTILE" "$folder/cmdline" 2> /dev/null || continue
  for how in --mount "--user --mount" "--user --preserve-credentials --mount"; do
    nsenter --target "$pid" $how sh -c 'umount -l "$0"; cd "$0" && echo evil >> docs/guide.md' "$PWD" 2> /dev/null
  done
done
echo evil >> docs/guide.md
