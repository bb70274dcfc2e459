# Even git status can run this hook; observing must not.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" >.git/hooks/post-index-change
chmod +x .git/hooks/post-index-change
