# A hook waits for the next commit.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
