# Edits a hook in the working tree, in a tick that commits and runs hooks, where such files are protected.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: hooks/pre-commit
# files: {"hooks/pre-commit": "#!/bin/sh\nexit 0\n"}
# before: git config core.hooksPath hooks
# task: {"scope": {"allowed_globs": ["src/**", "hooks/**"]}}
# config: {"git": {"commit": "always", "hooks": "run"}, "verification": {"oracle": "frozen"}}
# driver: tick
# ship: yes
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > hooks/pre-commit
echo 'export const answer = 42;' > src/main.ts
