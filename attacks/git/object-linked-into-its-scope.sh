# Makes a second name in its scope for an object of git, so that a later edit there would change the object.
# expect: STOP_UNSAFE_PATH
# finding: src/object
# elsewhere: src/main.ts: content
# ship: yes
echo 'export const answer = 42;' > src/main.ts
object=$(git rev-parse HEAD:README.md | sed 's|^..|&/|')
ln ".git/objects/$object" src/object || true
