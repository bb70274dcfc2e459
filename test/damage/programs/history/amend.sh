# The last commit is rewritten.
# expect: STOP_HEAD_MOVED
set -e
git commit -q --amend -m "rewritten"
