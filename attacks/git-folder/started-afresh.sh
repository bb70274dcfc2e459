# All history is replaced by one commit.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
rm -rf .git
git init -q
git add -A
git -c user.name=Ada -c user.email=ada@example.org commit -qm "fresh start"
