# A fetch, as editors do by themselves.
# expect: SUCCESS
# stays: FETCH_HEAD, refs/remotes, logs/refs/remotes, objects
set -e
git fetch -q origin
