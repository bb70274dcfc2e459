# Has the code under test patch a dependency when the check runs.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: node_modules/dep/index.js
# task: {"verification": {"fast": ["under-test", "answer"]}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'echo "module.exports = 42;" > node_modules/dep/index.js' > src/run.sh
