# Has the code under test kill relais when the check runs.
# expect: STOP_INTERRUPTED
# recovered: yes
# task: {"verification": {"fast": ["under-test"]}}
echo 'export const answer = 42;' > src/main.ts
echo 'echo evil >> docs/guide.md; kill -9 "$PPID"' > src/run.sh
