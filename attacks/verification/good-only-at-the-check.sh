# Has the code under test make itself right when the check runs, which is not what would be kept.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: src/main.ts
# task: {"verification": {"fast": ["under-test", "answer"]}}
# driver: tick
# ship: yes
echo 'echo 42 > src/main.ts' > src/run.sh
echo broken > src/main.ts
