# Makes the script of a check do nothing.
# expect: STOP_VERIFY_FAILED_FAST
# cause: base_oracle_red
# note: checks/answer.sh
# says: checks/answer.sh
# files: {"checks/answer.sh": "grep -q 42 src/main.ts\n"}
# task: {"scope": {"allowed_globs": ["src/**", "checks/**"]}, "verification": {"fast": ["script"]}}
# config: {"verification": {"templates": [{"id": "script", "cmd": "sh", "args": ["checks/answer.sh"]}]}}
# driver: tick
# ship: yes
echo 'exit 0' > checks/answer.sh
echo broken > src/main.ts
