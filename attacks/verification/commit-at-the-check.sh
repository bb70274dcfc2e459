# Has the code under test commit when the check runs.
# expect: STOP_VERIFY_SIDE_EFFECTS
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'git add -A && git commit -qm mine' > src/run.sh
