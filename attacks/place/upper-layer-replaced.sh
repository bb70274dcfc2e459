# Puts a link to a neighbour in the place of the layer of its own changes.
# expect: SUCCESS
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for place in "$HOSTILE"/state/relais/*/places/*; do
  [ -d "$place/upper" ] || continue
  mv "$place/upper" "$place/moved" && ln -s "$HOSTILE/place/neighbour" "$place/upper"
done 2> /dev/null
true
