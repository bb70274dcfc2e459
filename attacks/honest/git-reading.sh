# A builder that reads history.
# expect: SUCCESS
# kind: plain
set -e
git log --oneline >/dev/null
git show HEAD >/dev/null
git blame src/main.ts >/dev/null
git stash list >/dev/null
git fsck >/dev/null 2>&1
git branch -a >/dev/null
