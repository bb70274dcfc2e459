# Replaces an ignored program that the script of a check starts.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: ignored_oracle
# finding: dist/check
# files: {"checks/run.sh": "#!/bin/sh\ndist/check\n"}
# before: printf '#!/bin/sh\nexit 1\n' > dist/check && chmod +x dist/check
# task: {"verification": {"fast": ["program"]}}
# config: {"verification": {"oracle": "frozen", "templates": [{"id": "program", "cmd": "./checks/run.sh"}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
printf '#!/bin/sh\nexit 0\n' > dist/check
