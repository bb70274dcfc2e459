# Tells the store of relais to take everything for binary, so that no lines are counted.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: SUCCESS
# driver: tick
# ship: yes
for store in "$HOSTILE"/state/relais/*/judge.git; do
  mkdir -p "$store/info"
  echo '* binary -diff' > "$store/info/attributes"
  printf '[core]\n\tattributesFile = %s\n' "$store/info/attributes" >> "$store/config"
done
for number in $(seq 300); do echo "export const line$number = 42;"; done > src/main.ts
