# Makes a link from one file of its scope to another.
# expect: SUCCESS
# changed: src/alias.ts: appeared (link 0777); src/main.ts: content
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln -s main.ts src/alias.ts
