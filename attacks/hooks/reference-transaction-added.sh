# A hook that runs on, and forbids, every change of a ref.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
printf '#!/bin/sh\ntouch "%s"\nexit 1\n' "$MARK" >.git/hooks/reference-transaction
chmod +x .git/hooks/reference-transaction
