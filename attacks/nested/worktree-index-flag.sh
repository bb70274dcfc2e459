# A file of another worktree is hidden from git.
# expect: STOP_GIT_METADATA_MUTATION
# kind: main-worktree
set -e
git -C ../linked update-index --assume-unchanged src/main.ts
