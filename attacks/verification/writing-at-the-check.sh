# Has the code under test write elsewhere when the check runs.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: docs/guide.md
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'echo evil >> docs/guide.md' > src/run.sh
