# A linked worktree is turned into a second main one.
# expect: STOP_GIT_METADATA_MUTATION
# kind: linked-worktree
set -e
echo "gitdir: $PWD/../repo/.git" >.git
