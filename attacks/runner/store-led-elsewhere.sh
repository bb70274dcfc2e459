# Leads the store of relais to a repository of its own, and its files to places outside.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: SUCCESS
# driver: tick
# ship: yes
for store in "$HOSTILE"/state/relais/*/judge.git; do
  echo "$PWD/.git" > "$store/commondir"
  ln -sf "$HOSTILE/home/.profile" "$store/objects/info/alternates"
  ln -sf "$HOSTILE/home/.npmrc" "$store/info/attributes"
done
echo 'export const answer = 42;' > src/main.ts
