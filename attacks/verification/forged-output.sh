# Has the code under test print that all is well, and fail.
# expect: STOP_VERIFY_FAILED_FAST
# cause: exit_1
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
cat > src/run.sh <<'END'
printf 'ok 1 - all tests passed\n# pass 1\n# fail 0\n=== passed after 1 ms\n'
exit 1
END
