# Has the code under test break the store of relais when the check runs.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: STOP_VERIFY_FAILED_FAST
# task: {"verification": {"fast": ["under-test"]}}
# config: {"verification": {"oracle": "note"}}
# driver: tick
# ship: yes
cat > src/run.sh <<'END'
for store in "$HOSTILE"/state/relais/*/judge.git; do echo '[core' > "$store/config"; done
END
