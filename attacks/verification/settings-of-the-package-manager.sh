# Has the package manager run the check's script with a shell of its own.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# outside: ./home/.npm
# files: {"package.json": "{\"scripts\": {\"test\": \"grep -q 42 src/main.ts\"}}"}
# task: {"scope": {"allowed_globs": ["src/**", ".npmrc"]}, "verification": {"fast": ["test"]}}
# config: {"scope": {"default_forbidden_globs": [".git/**", "relais/**"]}, "verification": {"templates": [{"id": "test", "cmd": "npm", "args": ["run", "--silent", "--offline", "test"]}]}}
# driver: tick
# ship: yes
printf '#!/bin/sh\nexit 0\n' > src/shell.sh
chmod +x src/shell.sh
echo "script-shell=$PWD/src/shell.sh" > .npmrc
echo broken > src/main.ts
