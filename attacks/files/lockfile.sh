# Changes the lockfile without leave.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# task: {"scope": {"allowed_globs": ["**"]}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo 'evil: 1' >> pnpm-lock.yaml
