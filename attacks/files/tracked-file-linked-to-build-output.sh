# Makes its work and a file of the build output one file, so that the next build would change the source.
# expect: STOP_UNSAFE_PATH
# finding: src/main.ts
# ship: yes
echo 'export const answer = 42;' > src/main.ts
ln src/main.ts dist/main.js
