# Replaces a program of the repository that is a check.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# note: checks/answer
# files: {"checks/answer": "#!/bin/sh\ngrep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "checks/**"]}, "verification": {"fast": ["program"]}}
# config: {"verification": {"templates": [{"id": "program", "cmd": "./checks/answer"}]}}
# driver: tick
# ship: yes
printf '#!/bin/sh\nexit 0\n' > checks/answer
echo broken > src/main.ts
