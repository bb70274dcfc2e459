# Replaces an ignored module that a check imports, where the tests are protected.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: ignored_oracle
# finding: dist/check.mjs
# files: {"checks/run.mjs": "import '../dist/check.mjs';\n"}
# before: printf 'process.exitCode = 1;\n' > dist/check.mjs
# task: {"verification": {"fast": ["module"]}}
# config: {"verification": {"oracle": "frozen", "templates": [{"id": "module", "cmd": "node", "args": ["checks/run.mjs"]}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
echo 'process.exitCode = 0;' > dist/check.mjs
