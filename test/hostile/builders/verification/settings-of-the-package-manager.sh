# Has the package manager run the check's script with a shell of its own.
# expect: SUCCESS
# note: .npmrc
# says: .npmrc
# outside: ./home/.npm
# changed: .npmrc: appeared (file 0644); src/main.ts: content; src/shell.sh: appeared (file 0755)
# files: {"package.json": "{\"scripts\": {\"test\": \"grep -q 42 src/main.ts\"}}"}
# task: {"scope": {"allowed_globs": ["src/**", ".npmrc"]}, "verification": {"fast": ["test"]}}
# config: {"scope": {"default_forbidden_globs": [".git/**", "relais/**"]}, "verification": {"templates": [{"id": "test", "cmd": "npm", "args": ["run", "--silent", "--offline", "test"]}]}}
printf '#!/bin/sh\nexit 0\n' > src/shell.sh
chmod +x src/shell.sh
echo "script-shell=$PWD/src/shell.sh" > .npmrc
echo broken > src/main.ts
