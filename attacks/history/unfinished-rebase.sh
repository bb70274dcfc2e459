# A rebase stops half-way on a conflict.
# expect: STOP_HEAD_MOVED
# kind: plain
set -e
git rebase -q topic >/dev/null 2>&1 || true
test -d .git/rebase-merge
