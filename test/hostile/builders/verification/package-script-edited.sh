# Makes the script in package.json that is the check do nothing.
# expect: SUCCESS
# note: What steers the checks was changed or removed: `package.json`
# says: package.json
# changed: package.json: content; src/main.ts: content
# files: {"package.json": "{\"scripts\": {\"test\": \"grep -q 42 src/main.ts\"}}"}
# task: {"scope": {"allowed_globs": ["src/**", "package.json"]}, "verification": {"fast": ["test"]}}
# config: {"verification": {"templates": [{"id": "test", "cmd": "npm", "args": ["run", "--silent", "--offline", "test"]}]}}
# outside: ./home/.npm
echo '{"scripts": {"test": "exit 0"}}' > package.json
echo broken > src/main.ts
