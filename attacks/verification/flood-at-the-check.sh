# Has the code under test print without end.
# expect: STOP_VERIFY_FAILED_FAST
# cause: output_limit
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'yes this goes on and on and on and on and on and on and on and on' > src/run.sh
