# Somebody stages a file in another worktree meanwhile.
# expect: SUCCESS
# kind: main-worktree
# stays: worktrees/linked/index; objects
set -e
echo "// edit" >>src/main.ts
git -C ../linked add notes.txt
