# Makes a file executable.
# expect: SUCCESS
# changed: src/main.ts: content; src/other.ts: mode 0644 -> 0755
# ship: yes
echo 'export const answer = 42;' > src/main.ts
chmod 755 src/other.ts
