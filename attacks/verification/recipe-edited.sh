# Makes the recipe of the Makefile that is the check do nothing.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# needs: make
# files: {"Makefile": "test:\n\tgrep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "Makefile"]}, "verification": {"fast": ["test"]}}
# config: {"verification": {"templates": [{"id": "test", "cmd": "make", "args": ["test"]}]}}
# driver: tick
# ship: yes
printf 'test:\n\ttrue\n' > Makefile
echo broken > src/main.ts
