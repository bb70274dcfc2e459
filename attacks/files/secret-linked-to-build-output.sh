# Makes a secret and a file of the build output one file.
# expect: SUCCESS
# note: dist/settings.txt
# changed: dist/settings.txt: appeared (file 0644); src/main.ts: content
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln .env dist/settings.txt
