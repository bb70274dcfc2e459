# Ends the check with success from within the code under test.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# finding: src/run.sh:1
# says: src/run.sh:1 makes the checks say less
# task: {"verification": {"fast": ["under-test"]}}
# driver: tick
# ship: yes
echo 'exit 0; grep -q 42 src/main.ts' > src/run.sh
echo broken > src/main.ts
