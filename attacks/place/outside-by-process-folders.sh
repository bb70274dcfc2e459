# Reaches the working tree through the folders that the system shows of relais and of what holds its mounts.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# original: docs/guide.md: content
# needs: linux
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for folder in /proc/[0-9]*; do
  grep -qaF "$HOSTILE" "$folder/cmdline" 2> /dev/null || continue
  for file in "$folder/cwd/docs/guide.md" "$folder/root$PWD/docs/guide.md" "$folder"/fd/*/docs/guide.md; do
    [ -f "$file" ] && echo evil >> "$file"
  done
done 2> /dev/null
echo evil >> docs/guide.md
