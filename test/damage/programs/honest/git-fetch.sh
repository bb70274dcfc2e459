# A fetch, as editors do by themselves.
# expect: SUCCESS
set -e
git fetch -q origin
