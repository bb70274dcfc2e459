# Sets variables that would point git elsewhere; they end with its session.
# expect: STOP_VERIFY_FAILED_FAST
# cause: exit_1
# task: {"verification": {"fast": ["clean"]}}
# config: {"verification": {"templates": [{"id": "clean", "cmd": "git", "args": ["diff", "--exit-code", "--", "src"]}]}}
# driver: tick
# ship: yes
export GIT_DIR=/nowhere GIT_WORK_TREE=/nowhere PATH=/nowhere NODE_OPTIONS=--require=evil
echo broken > src/main.ts
