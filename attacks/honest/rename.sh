# Renames a file within its scope.
# expect: SUCCESS
# changed: src/another.ts: appeared (file 0644); src/main.ts: content; src/other.ts: vanished (file 0644)
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git mv src/other.ts src/another.ts
