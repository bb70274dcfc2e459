# Bends a test so that it agrees.
# expect: SUCCESS
# note: Tests were changed or removed: `tests/main.test.ts`
# says: Tests were changed or removed: `tests/main.test.ts`
# changed: src/main.ts: content; tests/main.test.ts: content
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '// nothing is tested' > tests/main.test.ts
