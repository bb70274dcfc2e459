# Has the code under test write the program that the next check starts.
# expect: STOP_VERIFY_FAILED_FAST
# task: {"verification": {"fast": ["under-test", "built"]}}
# before: printf '#!/bin/sh\ngrep -q 42 src/main.ts\n' > dist/check && chmod +x dist/check
# config: {"verification": {"templates": [{"id": "under-test", "cmd": "sh", "args": ["src/run.sh"]}, {"id": "built", "cmd": "./dist/check"}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
printf 'printf "#!/bin/sh\\nexit 0\\n" > dist/check\n' > src/run.sh
