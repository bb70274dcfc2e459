# Would have to be told apart from an option by the check's program; it is never started.
# expect: STOP_VERIFY_TAINTED
# cause: param_refused
# task: {"verification": {"fast": ["find"], "params": {"find": {"word": "--file=/etc/passwd"}}}}
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
