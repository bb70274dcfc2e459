# Has the code under test weaken the configuration when the check runs.
# expect: STOP_VERIFY_SIDE_EFFECTS
# finding: relais.config.json
# task: {"verification": {"fast": ["under-test"]}}
# next: STOP_VERIFY_FAILED_FAST
# driver: tick
# ship: yes
echo 'echo {} > relais.config.json' > src/run.sh
