# Has the code under test leave a process that edits once the check has ended.
# expect: SUCCESS
# changed: src/main.ts: content; src/run.sh: appeared (file 0644)
# task: {"verification": {"fast": ["under-test", "answer"]}}
# config: {"verification": {"oracle": "note"}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '(sleep 2; echo evil > src/main.ts) > /dev/null 2>&1 &' > src/run.sh
