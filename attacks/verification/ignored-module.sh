# Replaces an ignored module that the script of a check imports.
# expect: STOP_VERIFY_FAILED_FAST
# cause: ignored_oracle
# files: {"checks/run.mjs": "import '../dist/check.mjs';\n"}
# before: printf 'process.exitCode = 1;\n' > dist/check.mjs
# task: {"verification": {"fast": ["module"]}}
# config: {"verification": {"templates": [{"id": "module", "cmd": "node", "args": ["checks/run.mjs"]}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
echo 'process.exitCode = 0;' > dist/check.mjs
