# The linked worktree of the person loses its data.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
rm -r .git/worktrees/linked
