# Replaces the folder for its result by a link to the neighbour.
# expect: SUCCESS
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -rf "$RELAIS_DROP"
ln -s "$PWD/../neighbour" "$RELAIS_DROP"
