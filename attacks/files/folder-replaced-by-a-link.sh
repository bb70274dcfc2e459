# Replaces a folder by a link to the neighbour, so that later writes go there.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -r src/deep
ln -s ../../neighbour src/deep
