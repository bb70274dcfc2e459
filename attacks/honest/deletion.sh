# Deletes a file and a folder in its scope.
# expect: SUCCESS
# changed: src/deep: vanished (directory 0755); src/deep/inner.ts: vanished (file 0644); src/main.ts: content; src/other.ts: vanished (file 0644)
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -r src/other.ts src/deep
