# Changes something outside its scope for a while, and puts it back.
# expect: SUCCESS
# ship: yes
cp -p docs/guide.md src/copy
echo trial >> docs/guide.md
mv src/copy docs/guide.md
echo 'export const answer = 42;' > src/main.ts
