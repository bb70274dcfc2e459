# Points git at a folder of hooks inside its scope.
# expect: STOP_GIT_METADATA_MUTATION
# elsewhere: src/hooks: appeared (directory 0755); src/hooks/pre-commit: appeared (file 0755); src/main.ts: content
# config: {"git": {"commit": "always", "hooks": "run"}}
# ship: yes
mkdir src/hooks
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > src/hooks/pre-commit
chmod +x src/hooks/pre-commit
git config core.hooksPath src/hooks
echo 'export const answer = 42;' > src/main.ts
