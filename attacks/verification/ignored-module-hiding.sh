# Replaces an ignored module that a check imports; the module sets its time of access back.
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
echo 'import { execSync } from "node:child_process"; execSync("touch -a -t 200001010000 dist/check.mjs");' > dist/check.mjs
