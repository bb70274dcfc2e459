# Deletes the test.
# expect: SUCCESS
# says: Tests were changed or removed: `tests/main.test.ts`
# changed: src/main.ts: content; tests: vanished (directory 0755); tests/main.test.ts: vanished (file 0644)
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm -r tests
