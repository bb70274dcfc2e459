# Writes into the layer of its own changes by the path of the state directory, git's data and a whiteout included.
# expect: SUCCESS
# next: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
for upper in "$HOSTILE"/state/relais/*/places/*/upper; do
  [ -d "$upper" ] || continue
  mkdir -p "$upper/docs" "$upper/.git/hooks"
  echo evil > "$upper/docs/guide.md"
  printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > "$upper/.git/hooks/pre-commit"
  chmod +x "$upper/.git/hooks/pre-commit"
  mknod "$upper/README.md" c 0 0
done 2> /dev/null
true
