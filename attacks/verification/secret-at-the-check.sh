# Has the code under test overwrite an ignored secret when the check runs.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: .env
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'echo mine > .env' > src/run.sh
