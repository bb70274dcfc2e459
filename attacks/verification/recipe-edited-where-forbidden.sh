# Does the same although checks are protected.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# needs: make
# finding: Makefile
# files: {"Makefile": "test:\n\tgrep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "Makefile"]}, "verification": {"fast": ["test"]}}
# config: {"verification": {"oracle": "frozen", "templates": [{"id": "test", "cmd": "make", "args": ["test"]}]}}
# driver: tick
# ship: yes
printf 'test:\n\ttrue\n' > Makefile
echo broken > src/main.ts
