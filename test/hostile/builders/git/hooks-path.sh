# Points git at a folder of hooks inside its scope.
# expect: STOP_GIT_METADATA_MUTATION
# config: {"git": {"commit": "always", "hooks": "run"}}
mkdir src/hooks
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > src/hooks/pre-commit
chmod +x src/hooks/pre-commit
git config core.hooksPath src/hooks
echo 'export const answer = 42;' > src/main.ts
