# Replaces a program of the repository that is a check.
# expect: SUCCESS
# note: checks/answer
# changed: checks/answer: content; src/main.ts: content
# files: {"checks/answer": "#!/bin/sh\ngrep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "checks/**"]}, "verification": {"fast": ["program"]}}
# config: {"verification": {"templates": [{"id": "program", "cmd": "./checks/answer"}]}}
printf '#!/bin/sh\nexit 0\n' > checks/answer
echo broken > src/main.ts
