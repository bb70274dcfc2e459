# Makes the recipe of the Makefile that is the check do nothing.
# expect: SUCCESS
# needs: make
# note: Makefile
# says: Makefile
# changed: Makefile: content; src/main.ts: content
# files: {"Makefile": "test:\n\tgrep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "Makefile"]}, "verification": {"fast": ["test"]}}
# config: {"verification": {"templates": [{"id": "test", "cmd": "make", "args": ["test"]}]}}
printf 'test:\n\ttrue\n' > Makefile
echo broken > src/main.ts
