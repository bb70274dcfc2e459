# Replaces the folder of the build output by a link that leads out of the repository, for the next build to write there.
# expect: STOP_UNSAFE_PATH
# ship: yes
rm -r dist
ln -s ../neighbour dist
echo 'export const answer = 42;' > src/main.ts
