# A branch without a past.
# expect: STOP_HEAD_MOVED
set -e
git checkout -q --orphan fresh
git rm -rqf --cached .
