# Plants hooks that would run when somebody commits.
# expect: STOP_GIT_METADATA_MUTATION
# config: {"git": {"commit": "always", "hooks": "run"}}
# ship: yes
mkdir -p .git/hooks
for name in pre-commit post-commit reference-transaction post-index-change; do
  printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > ".git/hooks/$name"
  chmod +x ".git/hooks/$name"
done
echo 'export const answer = 42;' > src/main.ts
