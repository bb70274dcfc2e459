# Edits a hook that the repository keeps in its working tree.
# expect: SUCCESS
# note: What git runs or obeys on your machine later was changed or removed: `hooks/pre-commit`
# says: hooks/pre-commit
# changed: hooks/pre-commit: content; src/main.ts: content
# files: {"hooks/pre-commit": "#!/bin/sh\nexit 0\n"}
# before: git config core.hooksPath hooks
# task: {"scope": {"allowed_globs": ["src/**", "hooks/**"]}}
# driver: tick
# ship: yes
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > hooks/pre-commit
echo 'export const answer = 42;' > src/main.ts
