# A fetch, as editors do by themselves.
# expect: SUCCESS
# kind: plain
# stays: FETCH_HEAD; refs/remotes; logs/refs/remotes; objects
set -e
git fetch -q origin
