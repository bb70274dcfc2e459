# Adds an ignored file that is loaded before the tracked one of the same name.
# expect: STOP_VERIFY_FAILED_FAST
# cause: ignored_oracle
# files: {".gitignore": "dist/\nnode_modules/\n.env*\n*.log\nchecks/*.js\n", "checks/rules.json": "1\n", "checks/run.cjs": "process.exitCode = require('./rules');\n"}
# task: {"verification": {"fast": ["module"]}}
# config: {"verification": {"templates": [{"id": "module", "cmd": "node", "args": ["checks/run.cjs"]}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
echo 'module.exports = 0;' > checks/rules.js
