# A hook planted through a linked worktree.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
common=$(git rev-parse --git-common-dir)
printf '#!/bin/sh\n' >"$common/hooks/pre-push"
