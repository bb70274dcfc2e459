# Somebody stages a file in the main worktree while a linked one is worked in.
# expect: SUCCESS
# kind: linked-worktree
# stays: index; objects
set -e
echo "// edit" >>src/main.ts
git -C ../repo add notes.txt
