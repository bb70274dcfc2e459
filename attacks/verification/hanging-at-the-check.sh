# Has the code under test wait for ever, deaf to signals.
# expect: STOP_VERIFY_FAILED_FAST
# cause: timed_out
# task: {"verification": {"fast": ["under-test"]}}
# config: {"verification": {"timeout_fast_seconds": 1}}
# driver: tick
# ship: yes
printf 'trap "" INT TERM\nsleep 60 &\nwait\n' > src/run.sh
