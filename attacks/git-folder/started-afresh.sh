# All history is replaced by one commit.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
rm -rf .git
git init -q
git add -A
git commit -qm "fresh start"
