# Has the code under test leave a daemon when the check runs.
# expect: SUCCESS
# changed: src/main.ts: content; src/run.sh: appeared (file 0644)
# task: {"verification": {"fast": ["under-test", "answer"]}}
# config: {"verification": {"oracle": "note"}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo '(setsid sleep 60 > /dev/null 2>&1 &)' > src/run.sh
