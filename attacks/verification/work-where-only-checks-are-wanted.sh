# Changes something in a task that is to verify only.
# expect: STOP_VERIFY_ONLY_SIDE_EFFECTS
# task: {"task_kind": "verify_only"}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
