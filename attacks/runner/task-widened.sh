# Widens the task that it was given to read.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod u+w "$RELAIS_TASK_PATH" 2> /dev/null || :
sed 's/src/docs/g' "$RELAIS_TASK_PATH" > "$RELAIS_DROP/wider.json"
mv -f "$RELAIS_DROP/wider.json" "$RELAIS_TASK_PATH"
echo evil >> docs/guide.md
