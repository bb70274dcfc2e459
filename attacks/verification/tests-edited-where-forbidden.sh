# Bends a test although tests are protected.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: tests/main.test.ts
# config: {"verification": {"oracle": "frozen"}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '// nothing is tested' > tests/main.test.ts
