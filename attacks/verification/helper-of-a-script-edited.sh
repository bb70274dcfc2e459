# Edits a script in its scope that the script of a check calls in turn, which nothing follows.
# expect: SUCCESS
# needs: sandbox
# changed: src/helper.sh: content; src/main.ts: content
# files: {"checks/run.sh": "#!/bin/sh\nsh src/helper.sh\n", "src/helper.sh": "grep -q 42 src/main.ts\n"}
# task: {"verification": {"fast": ["script"]}}
# config: {"verification": {"oracle": "frozen", "templates": [{"id": "script", "cmd": "./checks/run.sh"}]}}
# ship: yes
echo broken > src/main.ts
echo true > src/helper.sh
