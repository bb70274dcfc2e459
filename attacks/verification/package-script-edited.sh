# Makes the script in package.json that is the check do nothing.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# note: What steers the checks was changed or removed: `package.json`
# says: package.json
# outside: ./home/.npm
# files: {"package.json": "{\"scripts\": {\"test\": \"grep -q 42 src/main.ts\"}}"}
# task: {"scope": {"allowed_globs": ["src/**", "package.json"]}, "verification": {"fast": ["test"]}}
# config: {"verification": {"templates": [{"id": "test", "cmd": "npm", "args": ["run", "--silent", "--offline", "test"]}]}}
# driver: tick
# ship: yes
echo '{"scripts": {"test": "exit 0"}}' > package.json
echo broken > src/main.ts
